// Asks the API. A problem document becomes an error with its sentence.

export class Problem extends Error {
  constructor(status, detail, { suggestions = [], errors = [] } = {}) {
    super(detail);
    this.status = status;
    this.suggestions = suggestions;
    this.errors = errors; // {where, what} for each mistake
  }
}

/** GET /api/PATH with parameters; `signal` gives up on it, `fields` are further fields of the head. */
export function ask(path, parameters = {}, signal = undefined, fields = {}) {
  const address = new URL(`/api/${path}`, location.origin);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) address.searchParams.set(name, value);
  }
  return exchange(address, { signal, headers: fields });
}

/** POST a value as JSON to /api/PATH. */
export function send(path, value, signal = undefined, fields = {}) {
  const headers = { "content-type": "application/json", ...fields };
  return exchange(new URL(`/api/${path}`, location.origin), { method: "POST", body: JSON.stringify(value), signal, headers });
}

async function exchange(address, options) {
  let answer;
  try {
    answer = await fetch(address, { ...options, headers: { accept: "application/json", ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer. Is `geoscout serve` still running?");
  }
  if (answer.ok) return answer.json();
  const problem = await answer.json().catch(() => ({}));
  throw new Problem(answer.status, problem.detail ?? answer.statusText, problem);
}
