import { html } from '../http/html.ts';
import type { Html } from '../http/html.ts';
import type { DemoPerson } from './people.ts';

const style = `
:root { color-scheme: light dark; --line: light-dark(#d9dce3, #363b47); --soft: light-dark(#5b6170, #a3a9b8);
  --card: light-dark(#fff, #1c1f27); --accent: light-dark(#3346c4, #a5b1ff); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: grid; place-items: center;
  background: light-dark(#f6f7f9, #14161c); color: light-dark(#1b1e27, #eceef4);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: 100%; max-width: 26rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .9rem; padding: 1.5rem; }
h1 { font-size: 1.3rem; margin: 0 0 .25rem; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); font-size: .9rem; }
ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
li a { display: block; padding: .6rem .75rem; margin-bottom: .4rem; border: 1px solid var(--line);
  border-radius: .6rem; color: inherit; text-decoration: none; }
li a:hover { border-color: var(--accent); }
li span { display: block; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
input { flex: 1 1 12rem; min-width: 0; font: inherit; padding: .5rem .7rem; border-radius: .5rem;
  border: 1px solid var(--line); background: transparent; color: inherit; }
button { font: inherit; font-weight: 600; padding: .5rem 1rem; border: 0; border-radius: .5rem;
  background: var(--accent); color: light-dark(#fff, #14161c); cursor: pointer; }
`;

/** The content security policy of these pages; a submitted form redirects to the application. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`.markup;
}

interface PickerOptions {
  people: readonly DemoPerson[];
  applicationName: string;
  authorizationPath: string;
  /** The application's authorization request, which is repeated with the chosen account. */
  request: URLSearchParams;
  /** The `login_hint` of the request if it is malformed; '' = none. */
  refusedHint: string;
}

/** Renders the account picker; every choice repeats the request with a `login_hint`. */
export function pickerPage(options: PickerOptions): string {
  const { people, applicationName, authorizationPath, request, refusedHint } = options;
  const others = [...request].filter(([name]) => name !== 'login_hint' && name !== 'prompt');
  const choice = ({ email, name, note }: DemoPerson): Html => {
    const query = new URLSearchParams([...others, ['login_hint', email]]);
    return html`<li>
      <a href="${authorizationPath}?${query.toString()}">
        <span>${name}</span>
        <span class="soft">${email}${note === undefined ? '' : ` – ${note}`}</span>
      </a>
    </li>`;
  };
  const hidden = others.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const refusal =
    refusedHint === ''
      ? html``
      : html`<p role="alert">
          “${refusedHint}” can’t sign in here. Enter an email address with at most 64 characters
          before the @ and 120 after it.
        </p>`;
  return page(
    'Choose an account',
    html`<h1>Choose an account</h1>
      <p class="soft">
        to continue to ${applicationName}. This page replaces a real sign-in provider; there are no
        passwords.
      </p>
      ${refusal}
      <ul>
        ${people.map(choice)}
      </ul>
      <form action="${authorizationPath}" method="get">
        ${hidden}
        <label for="email">Another account</label>
        <div class="row">
          <input
            id="email"
            name="login_hint"
            type="email"
            required
            placeholder="name@example.com"
            autocomplete="off"
          />
          <button>Continue</button>
        </div>
      </form>`,
  );
}

export function refusalPage(error: string, description: string): string {
  return page(
    'Sign-in is not possible',
    html`<h1>Sign-in is not possible</h1>
      <p>The application's request is invalid.</p>
      <p class="soft">${error}: ${description}</p>`,
  );
}
