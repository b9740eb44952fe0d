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
  );
}
