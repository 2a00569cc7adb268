/** The kit as `@venued/rules`; its parts are `@venued/rules/assembly/kv`, `.../abort` and `.../migrate`. */
export * from "./assembly/index";
