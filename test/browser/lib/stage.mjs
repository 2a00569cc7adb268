// What happens outside of the browsers is the test's to do: its address is in $VENUED_CONTROL.

const control = process.env.VENUED_CONTROL;
if (control === undefined) throw new Error('these scripts are run by the tests of this folder: go test ./test/browser');

async function ask(what, params = {}) {
  const answer = await fetch(`${control}/${what}`, { method: 'POST', body: new URLSearchParams(params) });
  if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`);
  return answer.json();
}

/** Addresses of the server and of the network before it, and its tokens: url, relay, metrics, token, admin. */
export const where = await ask('where');

/** The network loses everything from now on. */
export const cut = () => ask('cut');
/** Every TCP connection over the network breaks, and it loses everything from now on. */
export const breakAll = () => ask('break');
/** What the test has under a name happens. */
export const act = (name) => ask('act', { name });
/** The network is well again. */
export const heal = () => ask('heal');
/** The server is killed with kill -9. */
export const kill = () => ask('kill');
/** The server is started again, on the same port and folder; resolves when it is ready. */
export const restart = () => ask('restart');
/** Visitors without a browser come and walk until the end of the test. */
export const bots = (users) => ask('bots', { users });
/** A join token, for one use; `expired` makes it an old one. */
export const token = (user, name, expired = false) => ask('token', { user, name, ...(expired ? { expired: '1' } : {}) });
