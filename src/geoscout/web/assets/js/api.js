// Asks the API. A problem document becomes an error with its sentence.

export class Problem extends Error {
  constructor(status, detail, suggestions = []) {
    super(detail);
    this.status = status;
    this.suggestions = suggestions;
  }
}

/** GET /api/PATH with parameters; `signal` gives up on it. */
export async function ask(path, parameters = {}, signal = undefined) {
  const address = new URL(`/api/${path}`, location.origin);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) address.searchParams.set(name, value);
  }
  return answerOf(address, { signal, headers: { accept: "application/json" } });
}

/** POST a value to /api/PATH. */
export function send(path, body, signal = undefined) {
  const headers = { accept: "application/json", "content-type": "application/json" };
  return answerOf(new URL(`/api/${path}`, location.origin), { method: "POST", body: JSON.stringify(body), signal, headers });
}

async function answerOf(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer. Is `geoscout serve` still running?");
  }
  if (answer.ok) return answer.json();
  const problem = await answer.json().catch(() => ({}));
  throw new Problem(answer.status, problem.detail ?? answer.statusText, problem.suggestions);
}
