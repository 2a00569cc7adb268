import { html } from "htm/preact";
import { render } from "preact";
import { App } from "./app.ts";

render(html`<${App} />`, document.getElementById("app")!);
