// Generates a zod schema and a type for each component of the gateway's OpenAPI document, each in a file of its own, so that a
// screen loads no other.

/** Routes that the web app does not call with these schemas. */
const OTHERS = ["health", "hooks", "live", "media", "openapi"];

/** Removes the descriptions, which would be sent to players as part of the code. */
function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, part]) => !(key === "description" && typeof part === "string"),
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutDescriptions(part)]));
}

function transformer({ info, components, ...document }) {
  const { description: _, ...about } = info;
  return { ...document, info: about, components: withoutDescriptions(components) };
}

export default {
  api: {
    input: {
      target: "../gateway/openapi.json",
      filters: { mode: "exclude", tags: OTHERS },
      override: { transformer },
    },
    output: {
      client: "zod",
      mode: "tags-split",
      target: "../frontend/src/gen/api",
      schemas: { path: "../frontend/src/gen/api", type: "zod" },
      schemaFileExtension: ".ts",
      indexFiles: false,
      clean: true,
      override: {
        zod: {
          variant: "mini",
          version: 4,
          generateReusableSchemas: true,
          // Only components: an operation's path and envelope are in `lib/http` and the features' `api.ts`.
          generate: { param: false, query: false, header: false, body: false, response: false },
        },
      },
    },
  },
};
