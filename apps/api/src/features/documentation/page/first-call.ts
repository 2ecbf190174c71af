import { operationsOf } from './document.ts';
import { html, type Html } from './html.ts';
import { sampleOf, type PageContext } from './operation.ts';
import { tryButton } from './trying.ts';

/** Renders the way from an account to a first response. */
export function firstCall({ document, baseUrl }: PageContext): Html {
  const operation = operationsOf(document).find(({ id }) => id === 'auth.user');
  return html`<section id="first-call" class="group" aria-labelledby="first-call-title">
    <h2 id="first-call-title">A first call</h2>
    <div class="operation">
      <div class="about">
        <ol class="steps">
          <li>
            Sign in with an account of the app: <a href="/docs/auth#auth.login">Sign in</a> responds
            with an access token, which lives 15 minutes. For programs, make an
            <a href="/docs/apiKeys#apiKeys.create">API key</a> instead.
          </li>
          <li>Send it with each request: here, ask whose it is.</li>
          <li>
            Read <code>data</code> of a success. Of an error, read its <code>code</code>: each is
            explained under <a href="#errors">Errors</a>.
          </li>
        </ol>
        <p>
          &ldquo;Try it&rdquo; sends the request from this page, with the session of the app if it
          is on this host, or with a token that you paste.
        </p>
      </div>
      <div class="samples">
        ${operation && tryButton({ document, operation, baseUrl })}
        ${sampleOf('curl', inShell(baseUrl))} ${sampleOf('@atelier/client', inTypeScript(baseUrl))}
      </div>
    </div>
  </section>`;
}

const inShell = (baseUrl: string) => `TOKEN=$(curl '${baseUrl}/api/auth/login' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "…"}' | jq -r .data.token.accessToken)

curl '${baseUrl}/api/auth/user' -H "Authorization: Bearer $TOKEN"`;

const inTypeScript = (baseUrl: string) => `import { createClient } from '@atelier/client';

const api = createClient({ baseUrl: '${baseUrl}' });
await api.auth.login({ body: { email: 'ada@example.com', password: '…' } });
console.log(await api.auth.user());`;
