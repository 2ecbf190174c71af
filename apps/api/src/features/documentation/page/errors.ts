import { STATUS_CODES } from 'node:http';
import { errorCatalogue } from '@atelier/contract';
import type { DocumentedResponse } from './document.ts';
import { html, inline, type Html } from './html.ts';

/** The codes of an error response. */
export function codesOf({ description }: DocumentedResponse): readonly string[] {
  return [...description.matchAll(/^`(\w+)`:/gm)].flatMap(([, code = '']) => code);
}

export function linkToError(code: string): Html {
  return html`<a href="/docs#error-${code}"><code>${code}</code></a>`;
}

const catalogue = Object.entries(errorCatalogue).toSorted(
  ([one, { status }], [other, { status: otherStatus }]) =>
    status - otherStatus || one.localeCompare(other, 'en'),
);

/** Every code of the service. */
export const errorCodes = catalogue.map(([code]) => code);

/** Renders the catalogue; its anchors are what responses and operations refer to. */
export function errorsSection(): Html {
  return html`<section id="errors" class="group" aria-labelledby="errors-title">
    <h2 id="errors-title">Errors</h2>
    <p class="lead">
      Every error is ${inline('`{ message, code, requestId, errors? }`')}. Branch on the code, which
      is stable.
    </p>
    <table aria-label="Errors" class="catalogue">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code, and when</th>
        </tr>
      </thead>
      <tbody>
        ${catalogue.map(
          ([code, { status, when }]) =>
            html`<tr id="error-${code}">
              <td><span class="status bad" title="${STATUS_CODES[status]}">${status}</span></td>
              <td>
                <p>${linkToError(code)}</p>
                <p>${inline(when)}</p>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
