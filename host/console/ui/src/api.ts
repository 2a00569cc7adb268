import type { Done, Problem, Uploaded } from "./types.ts";

/** A request that the console did not grant. The message says what is wrong and what to do. */
export class Fault extends Error {
  /** HTTP status, 0 when the server did not answer. */
  readonly status: number;
  /** Code of the API's Fault, or "unreachable". */
  readonly code: string;
  /** Everything that is wrong with a module that is refused. */
  readonly problems: Problem[];

  constructor(status: number, code: string, message: string, problems: Problem[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

const BASE = "/admin/api";

async function call(method: "GET" | "POST", path: string, body?: unknown): Promise<Response> {
  let res: Response;
  try {
    res = await fetch(BASE + path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      ...(body === undefined ? {} : body instanceof Blob ? { headers: { "Content-Type": "application/wasm" }, body } : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Fault(0, "unreachable", "The server does not answer. It may be stopped or starting; this page keeps trying.");
  }
  if (res.ok) return res;
  let code = "failed";
  let message = `The server answered ${res.status}.`;
  let problems: Problem[] = [];
  try {
    const f = (await res.json()) as { code?: unknown; message?: unknown; problems?: Problem[] };
    problems = f.problems ?? [];
    if (typeof f.code === "string") code = f.code;
    if (typeof f.message === "string") message = f.message;
  } catch {
    // Not the console's own answer: a proxy's, say. The status must do.
  }
  throw new Fault(res.status, code, message, problems);
}

/** Reads something. Throws a {@link Fault}. */
export async function get<T>(path: string): Promise<T> {
  return (await (await call("GET", path)).json()) as T;
}

/** Acts. Throws a {@link Fault}. */
export async function act(path: string, body?: unknown): Promise<Done> {
  return (await (await call("POST", path, body)).json()) as Done;
}

/** Uploads a module as a version of a name. Throws a {@link Fault}. */
export async function upload(name: string, module: Blob): Promise<Uploaded> {
  return (await (await call("POST", `/rules/${encodeURIComponent(name)}/versions`, module)).json()) as Uploaded;
}

/** Begins a session with the admin token. */
export async function login(token: string): Promise<void> {
  await call("POST", "/login", { token });
}

/** Ends the session. */
export async function logout(): Promise<void> {
  await call("POST", "/logout");
}

/** Where live events come from. */
export const LIVE = `${BASE}/live`;

/** Where a rule's log lines come from. */
export function ruleLog(name: string): string {
  return `${BASE}/rules/${encodeURIComponent(name)}/log`;
}
