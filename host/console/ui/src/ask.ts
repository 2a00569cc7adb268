import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import { act, Fault } from "./api.ts";

/** An action that the operator is asked about before it is done. */
export interface Question {
  title: string;
  text: string;
  /** Word on the button that does it. */
  verb: string;
  path: string;
  /** What is sent along. */
  body?: unknown;
  /** Label of a text to send along as "message", if there is one. */
  message?: string;
  /** Called when it was done. */
  done?: () => void;
}

/** Asks, acts, and shows the answer until it is closed. */
export function Ask({ question, close }: { question: Question; close: () => void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [message, setMessage] = useState("");
  const [state, setState] = useState<"asking" | "acting" | "done" | "failed">("asking");
  const [answer, setAnswer] = useState("");
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const go = async (e: Event): Promise<void> => {
    e.preventDefault();
    if (state === "done") {
      close();
      return;
    }
    setState("acting");
    try {
      const done = await act(question.path, question.message === undefined ? question.body : { message });
      const not = (done.regions ?? []).filter((r) => !r.ok).map((r) => r.why ?? r.region);
      setAnswer([done.tick ? `${done.message} (tick ${done.tick})` : done.message, ...not].join(" "));
      setState("done");
      question.done?.();
    } catch (e) {
      setAnswer(e instanceof Fault ? e.message : String(e));
      setState("failed");
    }
  };
  return html`<dialog ref=${dialog} class="ask" onClose=${close}>
    <form onSubmit=${go}>
      <h2>${question.title}</h2>
      ${state !== "done" && html`<p>${question.text}</p>`}
      ${state !== "done" && question.message !== undefined &&
      html`<label>${question.message}
        <input type="text" maxlength="200" value=${message} onInput=${(e: InputEvent) => setMessage((e.currentTarget as HTMLInputElement).value)} />
      </label>`}
      ${answer && html`<p class=${state === "failed" ? "answer bad" : "answer good"} role="status">${answer}</p>`}
      <div class="buttons">
        ${state === "done"
          ? html`<button type="submit" class="primary" autofocus>Close</button>`
          : html`<button type="button" onClick=${close}>Cancel</button>
              <button type="submit" class="danger" disabled=${state === "acting"}>${state === "acting" ? "Working…" : question.verb}</button>`}
      </div>
    </form>
  </dialog>` as VNode;
}
