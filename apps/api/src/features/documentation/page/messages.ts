import type { OpenApi } from './document.ts';
import { nameIn } from './document.ts';
import { parameterList, typeOf } from './fields.ts';
import { html, inline, type Html } from './html.ts';

/** Renders what webhooks receive: the headers and responses once, which all messages share, then each event. */
export function messagesSection(document: OpenApi): Html | null {
  const messages = Object.entries(document.webhooks ?? {});
  const [first] = messages;
  if (!first) return null;
  const { parameters, responses } = first[1].post;
  const { components } = document;
  return html`<section id="messages" class="group" aria-labelledby="messages-title">
    <h1 id="messages-title">Messages of webhooks</h1>
    <p class="lead">
      The service sends them as POST to the webhooks of an organization, each with these headers.
    </p>
    <article class="operation" aria-labelledby="messages-common">
      <div class="about">
        <h2 id="messages-common">Every message</h2>
        ${parameterList(
          'Headers',
          parameters.flatMap((one) => components.parameters[nameIn(one)] ?? []),
        )}
        <h3>Your responses</h3>
        <ul class="successes">
          ${Object.entries(responses)
            .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
            .map(
              ([status, response]) =>
                html`<li>
                  <span class="status">${status}</span>
                  <span>${inline(components.responses[nameIn(response)]?.description ?? '')}</span>
                </li>`,
            )}
        </ul>
      </div>
    </article>
    <table aria-label="Events">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Meaning</th>
          <th scope="col">Body</th>
        </tr>
      </thead>
      <tbody>
        ${messages.map(
          ([event, { post }]) =>
            html`<tr id="message-${event}">
              <td><code>${event}</code></td>
              <td>${post.summary}</td>
              <td>${typeOf(post.requestBody.content['application/json'].schema.allOf[0])}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
