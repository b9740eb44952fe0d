// The API, from its own OpenAPI description.

import { ask } from "./api.js";
import { make, replace } from "./dom.js";
import { showProblem } from "./problems.js";

export function open(screen) {
  ask("openapi.json")
    .then((description) => replace(screen, page(description)))
    .catch((error) => showProblem(screen, error));
}

function page(description) {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return [
    make("h1", {}, "REST API"),
    make("p", {}, description.info.description, " The whole description: ", make("a", { href: "/api/openapi.json" }, "openapi.json"), "."),
    make("p", {}, "A server with a token wants ", make("code", {}, "Authorization: Bearer TOKEN"), "; without one, control wants the key that it printed."),
    ...operations.map(entry),
  ];
}

function entry({ path, method, operation }) {
  const parameters = (operation.parameters ?? []).map((one) => {
    const schema = one.schema ?? {};
    const kind = schema.enum?.join(" | ") ?? schema.type ?? schema.anyOf?.map((part) => part.type).join(" | ") ?? "";
    return make("li", {}, make("code", {}, one.name), " ", make("span", { class: "faint" }, `${kind}${one.required ? ", required" : ""} ${one.description ?? schema.description ?? ""}`));
  });
  return make(
    "article",
    { class: "card" },
    make("h2", {}, make("code", {}, `${method.toUpperCase()} ${path}`)),
    make("p", {}, operation.description ?? ""),
    make("ul", {}, parameters),
    example({ path, method, operation }),
  );
}

/** How it is asked by curl, a link that asks it, and what comes back; all from the description. */
function example({ path, method, operation }) {
  const body = operation.requestBody?.content?.["application/json"]?.example;
  const href = exampleAddress(path, operation.parameters ?? []);
  const key = operation.security?.some((one) => "key" in one) ? ' -H "x-geoscout-key: $KEY"' : "";
  const data = body ? ` --json '${JSON.stringify(body)}'` : "";
  const [answer] = Object.values(operation.responses["200"]?.content ?? {}).map((content) => content.example).filter((one) => one !== undefined);
  return make(
    "details",
    {},
    make("summary", {}, "Example"),
    make("p", {}, make("code", {}, `curl${key}${data} '${location.origin}${href}'`)),
    method === "get" ? make("p", {}, make("a", { href, target: "_blank", rel: "noopener" }, "Ask it here")) : null,
    answer === undefined ? null : make("pre", { tabindex: 0 }, typeof answer === "string" ? answer : JSON.stringify(answer, null, 1)),
  );
}

function exampleAddress(path, parameters) {
  const given = parameters.filter((one) => one.example !== undefined);
  const query = new URLSearchParams(given.filter((one) => one.in === "query").map((one) => [one.name, one.example]));
  const place = given.reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one.example)), path);
  return query.size ? `${place}?${query}` : place;
}
