import { messageSchemaOf } from './document.ts';
import { exampleOf, filledParameter, type Sample } from './examples.ts';
import { html, type Html } from './html.ts';

/** Verbs of operations that take something away, besides those with DELETE. */
const takesAway =
  /\.(abort|archive|changePassword|logout|renew|reportLeak|requestDeletion|reset|rotate|unsubscribe|replay)/;

/**
 * Renders the button that sends a request from the page, which works with the script only. Streams and pages of
 * other services can't be shown.
 */
export function tryButton({ document, operation }: Sample): Html | null {
  const { id, method, path, body, isPublic, parameters, responses } = operation;
  if (messageSchemaOf(operation) || responses.some(([status]) => status === 302)) return null;
  const request = {
    id,
    method,
    path,
    isPublic,
    asks: method === 'DELETE' || takesAway.test(id),
    // The page adds what every request has.
    takesKey: parameters.some(({ name }) => name === 'idempotency-key'),
    fields: parameters
      .filter((one) => one.in !== 'header')
      .map((one) => ({
        name: one.name,
        in: one.in,
        isRequired: one.required === true,
        value: one.required === true ? filledParameter(document, one) : '',
      })),
    body: body && exampleOf(document, body),
  };
  return html`<button
    type="button"
    class="try"
    hidden
    aria-expanded="false"
    aria-label="Try it: ${id}"
    data-request="${JSON.stringify(request)}"
  >
    Try it
  </button>`;
}
