// Decodes the compact outlines of the gazetteer (gazetteer/boundaries.py says how they are written).

const FIRST_LETTER = 63;
const MORE = 32;
const UNITS = 1000;

/** The rings of a place as Leaflet wants them: lists of [latitude, longitude]. */
export function decodeRings(text) {
  return text.split(" ").filter(Boolean).map(decodeRing);
}

function decodeRing(text) {
  const ring = [];
  let x = 0;
  let y = 0;
  let isLongitude = true;
  let number = 0;
  let scale = 1; // not a shift: a number may have more than 32 bits
  for (let at = 0; at < text.length; at += 1) {
    const value = text.charCodeAt(at) - FIRST_LETTER;
    if (value >= MORE) {
      number += (value - MORE) * scale;
      scale *= MORE;
      continue;
    }
    number += value * scale;
    const step = number % 2 ? -(number + 1) / 2 : number / 2;
    if (isLongitude) x += step;
    else {
      y += step;
      ring.push([y / UNITS, x / UNITS]);
    }
    isLongitude = !isLongitude;
    number = 0;
    scale = 1;
  }
  return ring;
}
