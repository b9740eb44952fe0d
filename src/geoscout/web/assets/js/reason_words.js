// The reasons of a strategy in words: what speaks for a link and what against it, the strongest first.

const MOST = 5; // of each side
const CLEARLY = 0.3;
const STRONGLY = 1;

const CUES = {
  nothing: "no place is named with it",
  inside: "a place in the region is named with it",
  maybe: "a place is named with it that may be in the region",
  around: "a place around the region is named with it",
  area: "a place some hundred kilometres away is named with it",
  near: "a place near the region is named with it",
  abroad: "a place in another country is named with it",
  far: "a place far from the region is named with it",
};
const FIELDS = {
  anchor: (word) => `its link says “${word}”`,
  around: (word) => `“${word}” stands next to the link`,
  path: (word) => `its address has “${word}”`,
  query: (word) => `its address has “${word}”`,
  host: (word) => `its host has “${word}”`,
  title: (word) => `the title of the link says “${word}”`,
  part: (word) => `the link stands in the ${word === "main" ? "text" : word}`,
  switch: (word) => (word === "same" ? "it stays on the same site" : "it leads to another site"),
  list: () => "links at the same place of such pages",
  cue: (word) => CUES[word],
};
const WHOLE = {
  host: "what other pages of its host were like",
  "host and directory": "what other pages of its folder were like",
};
const LEFT_OUT = new Set(["always"]); // the same for every link

/** What speaks for and against a link, from the parts of one prediction. */
export function argued(reason) {
  const known = (reason.parts ?? []).filter((part) => part.value && !LEFT_OUT.has(part.name) && !part.parts?.length);
  const sorted = [...known].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return {
    pro: sorted.filter((part) => part.value > 0).slice(0, MOST),
    con: sorted.filter((part) => part.value < 0).slice(0, MOST),
  };
}

/** One part in words, such as "its link says “imprint” (a little)". */
export function inWords(part) {
  const strength = Math.abs(part.value);
  const how = strength >= STRONGLY ? "strongly" : strength >= CLEARLY ? "clearly" : "a little";
  return `${meaning(part)} (${how})`;
}

function meaning({ name, detail }) {
  const colon = name.indexOf(":");
  const [field, word] = [name.slice(0, colon), name.slice(colon + 1)];
  const say = FIELDS[field] ?? (field.startsWith("cue-") ? FIELDS.cue : null);
  if (colon > 0 && say) return say(word) ?? name;
  if (name === "links since a relevant page") return Number(detail) === 1 ? "one link since a relevant page" : `${Number(detail)} ${name}`;
  return WHOLE[name] ?? (colon < 0 ? name : name.replace(":", ": "));
}

/** How it came into the crawl and how it stands there, as sentences. */
export function standing(found) {
  const states = { visited: "It was fetched", waiting: "It waits", "given up": "It was given up" };
  const first = `${states[found.state] ?? `It is ${found.state}`}, with priority ${Number(found.priority.toPrecision(3))}.`;
  const link = found.anchor ? `by the link “${found.anchor}”` : "";
  const way = found.parent ? `It was found ${link ? `${link} ` : ""}on` : "It is a seed";
  const far = `${steps(found.depth, "a seed")}${found.parent ? `, ${steps(found.distance, "the last relevant page")}` : ""}`;
  return { first, way, far };
}

function steps(number, from) {
  return number === 1 ? `one link from ${from}` : `${number} links from ${from}`;
}
