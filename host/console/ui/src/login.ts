import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { VNode } from "preact";
import { Fault, login } from "./api.ts";

/** The page before one is logged in. */
export function Login({ entered, over }: { entered: () => void; over: boolean }): VNode {
  const [token, setToken] = useState("");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const go = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    try {
      await login(token.trim());
      entered();
    } catch (e) {
      setFault(e instanceof Fault ? e.message : String(e));
    } finally {
      setBusy(false);
    }
  };
  return html`<main class="login"><form onSubmit=${go}>
    <h1>venued console</h1>
    ${over && html`<p>Your session is over. Log in again.</p>`}
    <input class="hidden" type="text" name="username" value="admin" autocomplete="username" tabindex="-1" aria-hidden="true" readonly />
    <label>Admin token
      <input type="password" name="token" autocomplete="current-password" autofocus required value=${token}
        onInput=${(e: InputEvent) => setToken((e.currentTarget as HTMLInputElement).value)} />
    </label>
    <p class="hint">It is in the file that <code>venued serve</code> names in its line “console …”.</p>
    ${fault && html`<p class="answer bad" role="alert">${fault}</p>`}
    <button type="submit" class="primary" disabled=${busy}>Log in</button>
  </form></main>` as VNode;
}
