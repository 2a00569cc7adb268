// Compiles for a process that keeps it running: one request a line on the standard input, one answer a line
// on the standard output.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const asc = (await import(pathToFileURL(process.argv[1]).href)).default;
for await (const line of createInterface({ input: process.stdin })) {
  const { dir, args } = JSON.parse(line);
  process.chdir(dir);
  let said = "";
  const stream = { write: (text) => { said += text; } };
  const { error } = await asc.main(args, { stdout: stream, stderr: stream });
  process.stdout.write(JSON.stringify({ ok: !error, said }) + "\n");
}
