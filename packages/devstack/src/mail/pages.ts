import { Html, escapeHtml, html } from '../http/html.ts';
import type { Mailbox, ReceivedMail } from './inbox.ts';

/** Refreshes and empties the list; the pages work without it. */
export const inboxScript = `
const clear = document.querySelector('#clear');
if (clear) {
  clear.hidden = false;
  clear.addEventListener('click', async () => {
    await fetch('/email', { method: 'DELETE' });
    await refresh();
  });
}
async function refresh() {
  const response = await fetch('/');
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const [list, freshList] = [document, fresh].map((page) => page.querySelector('#mails'));
  // Items that stay keep the focus.
  for (const item of [...list.children]) if (!fresh.getElementById(item.id)) item.remove();
  list.prepend(...[...freshList.children].filter(({ id }) => !document.getElementById(id)));
  const [count, freshCount] = [document, fresh].map((page) => page.querySelector('#count'));
  // Screen readers announce each replacement.
  if (count.textContent !== freshCount.textContent) count.textContent = freshCount.textContent;
}
if (document.querySelector('#mails')) {
  setInterval(() => document.hidden || refresh().catch(() => {}), 2000);
}
`;

export const inboxStyle = `
:root { color-scheme: light dark; --line: light-dark(#d9dce3, #363b47); --soft: light-dark(#5b6170, #a3a9b8);
  --card: light-dark(#fff, #1c1f27); --accent: light-dark(#3346c4, #a5b1ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 1.25rem 1rem 3rem; background: light-dark(#f6f7f9, #14161c);
  color: light-dark(#1b1e27, #eceef4); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.4rem; margin: 0 0 .75rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ol { list-style: none; margin: 0; padding: 0; }
.card { display: block; background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .75rem 1rem; margin-bottom: .6rem; color: inherit; text-decoration: none; }
a.card:hover { border-color: var(--accent); }
.subject { font-weight: 600; display: block; }
.soft, dt { color: var(--soft); font-size: .875rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .15rem .75rem; margin: 0; }
dd { margin: 0; }
iframe { width: 100%; height: min(65vh, 40rem); border: 1px solid var(--line); border-radius: .6rem; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; margin: 0; }
h2 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
button { font: inherit; padding: .35rem .8rem; border-radius: .5rem; border: 1px solid var(--line);
  background: var(--card); color: inherit; cursor: pointer; }
`;

function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/inbox.css" />
        <link rel="icon" href="data:," />
        <script type="module" src="/inbox.js"></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;
}

function readable(isoDate: string): string {
  return `${isoDate.slice(0, 10)} ${isoDate.slice(11, 19)} UTC`;
}

function label({ address, name }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`;
}

function labels(list: readonly Mailbox[]): string {
  return list.map(label).join(', ');
}

function subjectOf(mail: ReceivedMail): string {
  return mail.subject.trim() === '' ? '(no subject)' : mail.subject;
}

function listItem(mail: ReceivedMail): Html {
  return html`<li id="mail-${mail.id}">
    <a class="card" href="/mail/${mail.id}">
      <span class="subject">${subjectOf(mail)}</span>
      <span class="soft"
        >to ${labels(mail.to)} · <time datetime="${mail.date}">${readable(mail.date)}</time></span
      >
    </a>
  </li>`;
}

/** Renders the list, newest first. */
export function inboxPage(mails: readonly ReceivedMail[]): string {
  const list =
    mails.length === 0
      ? html`<li id="no-mail" class="card soft">
          No mail yet. Every mail of the application arrives here; none is delivered.
        </li>`
      : mails.toReversed().map(listItem);
  return page(
    'Mail inbox',
    html`<header>
        <h1>Mail inbox</h1>
        <span id="count" class="soft" role="status"
          >${mails.length === 1 ? '1 mail' : `${mails.length} mails`}</span
        >
        <button id="clear" type="button" hidden>Delete all</button>
      </header>
      <main>
        <ol id="mails">
          ${list}
        </ol>
      </main>`,
  );
}

/** Escapes plain text and turns its URLs into links. */
function linked(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"']+)/);
  return new Html(
    parts
      .map((part, index) => {
        const safe = escapeHtml(part);
        if (index % 2 === 0) return safe;
        return `<a href="${safe}" target="_blank" rel="noopener noreferrer">${safe}</a>`;
      })
      .join(''),
  );
}

export function mailPage(mail: ReceivedMail): string {
  const formatted = html`<h2>Formatted</h2>
    <iframe
      src="/mail/${mail.id}/html"
      title="The formatted mail"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
    ></iframe>`;
  const plain = html`<h2>Text</h2>
    <div class="card"><pre>${linked(mail.text)}</pre></div>`;
  return page(
    `${subjectOf(mail)} – Mail inbox`,
    html`<header>
        <h1>${subjectOf(mail)}</h1>
        <a href="/">All mail</a>
      </header>
      <main>
        <dl class="card">
          <dt>From</dt>
          <dd>${label(mail.from)}</dd>
          <dt>To</dt>
          <dd>${labels(mail.to)}</dd>
          <dt>Received</dt>
          <dd><time datetime="${mail.date}">${readable(mail.date)}</time></dd>
        </dl>
        ${mail.html === '' ? html`` : formatted} ${mail.text === '' ? html`` : plain}
      </main>`,
  );
}

/**
 * Returns the sender's markup, for the sandboxed frame only. Makes links open in a new tab: browsers use the first
 * of two equal attributes.
 */
export function mailBody(mail: ReceivedMail): string {
  return mail.html.replace(
    /<(a|area)(?=[\s/>])/gi,
    '<$1 target="_blank" rel="noopener noreferrer"',
  );
}

export function notFoundPage(): string {
  return page(
    'Not found – Mail inbox',
    html`<header><h1>Mail not found</h1></header>
      <main>
        <p><a href="/">All mail</a></p>
      </main>`,
  );
}
