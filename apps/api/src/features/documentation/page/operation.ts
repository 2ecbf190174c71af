import { STATUS_CODES } from 'node:http';
import type { DocumentedResponse, OpenApi, Operation, Schema } from './document.ts';
import { messageSchemaOf, nameIn, wholeSchema } from './document.ts';
import { clientExample, curlExample, exampleOf, streamExample } from './examples.ts';
import { fieldList, parameterList, typeOf } from './fields.ts';
import { codesOf, linkToError } from './errors.ts';
import { html, prose, type Html } from './html.ts';
import { tryButton } from './trying.ts';

export interface PageContext {
  readonly document: OpenApi;
  /** Public address of the service. */
  readonly baseUrl: string;
}

/** Renders one operation: its parameters and responses, beside examples of both. */
export function operationSection(context: PageContext, operation: Operation): Html {
  const { id, method, path, summary, description } = operation;
  return html`<article id="${id}" class="operation" aria-labelledby="${id}-title">
    <div class="about">
      <h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
      <p class="route">
        <span class="method ${method}">${method}</span> <code>${breakable(path)}</code>
      </p>
      ${prose(description)} ${inputs(context, operation)} ${success(context, operation)}
      ${errors(operation)}
    </div>
    <div class="samples">${samples(context, operation)}</div>
  </article>`;
}

/** Long paths may break before a slash. */
function breakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((part) => html`<wbr />${part}`);
}

function inputs({ document }: PageContext, { parameters, body }: Operation): Html {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  return html`${parameterList('In the path', of('path'))} ${parameterList('Query', of('query'))}
  ${parameterList('Headers', of('header'))}
  ${
    body &&
    html`<h3>Body ${nameIn(body) && html`<span class="type">${typeOf(body)}</span>`}</h3>
      ${fieldList(document, body)}`
  }`;
}

function success({ document }: PageContext, { responses }: Operation): Html {
  return html`<h3>Responses</h3>
    <ul class="successes">
      ${responses
        .filter(([status]) => status < 400)
        .map(
          ([status, response]) =>
            html`<li>
              <span class="status ok">${status}</span>
              <span>${resultOf(document, response) ?? response.description}</span>
            </li>`,
        )}
    </ul>`;
}

function resultOf(document: OpenApi, response: DocumentedResponse): Html | null {
  const message = response.content?.['text/event-stream']?.schema;
  if (message) return html`stream of ${typeOf(message)} as <code>text/event-stream</code>`;
  const fields = envelopeOf(document, response)?.properties;
  if (!fields) return null;
  const text = fields['message']?.examples?.[0];
  const data = fields['data'];
  return html`${data && typeOf(data)} ${typeof text === 'string' && html`<q>${text}</q>`}`;
}

function envelopeOf(document: OpenApi, response: DocumentedResponse): Schema | null {
  const schema = response.content?.['application/json']?.schema;
  return schema ? wholeSchema(document, schema) : null;
}

function errors({ id, responses }: Operation): Html {
  const rows = responses.filter(([status]) => status >= 400);
  return html`<details class="errors">
    <summary>
      Errors <span class="statuses">${rows.map(([status]) => status).join(' ')}</span>
    </summary>
    <table aria-label="Errors of ${id}">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Codes</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([status, response]) =>
            html`<tr>
              <td><span class="status bad" title="${STATUS_CODES[status]}">${status}</span></td>
              <td>${codesOf(response).map((code) => html`<p>${linkToError(code)}</p>`)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

function samples(context: PageContext, operation: Operation): Html {
  const { document } = context;
  const [status, response] = operation.responses[0] ?? [200, null];
  const envelope = response && envelopeOf(document, response);
  const sample = { ...context, operation };
  const message = messageSchemaOf(operation);
  return html`${tryButton(sample)} ${sampleOf('curl', curlExample(sample))}
  ${sampleOf('@atelier/client', clientExample(sample))}
  ${envelope && sampleOf(`Response ${status}`, JSON.stringify(exampleOf(document, envelope), null, 2))}
  ${message && sampleOf(`Response ${status}`, streamExample(document, message))}`;
}

export function sampleOf(title: string, code: string): Html {
  return html`<figure>
    <figcaption>${title}<button type="button" class="copy" hidden>Copy</button></figcaption>
    <pre tabindex="0" role="group" aria-label="${title}"><code>${code}</code></pre>
  </figure>`;
}
