import { operationsOf, type OpenApi, type Operation } from './document.ts';
import { exampleOf } from './examples.ts';
import { fieldList } from './fields.ts';
import { Html, html, prose } from './html.ts';
import { messagesSection } from './messages.ts';
import { operationSection, type PageContext } from './operation.ts';

interface Parts extends PageContext {
  readonly style: string;
  readonly script: string;
}

/** Renders the reference as one self-contained page: every operation, every named schema. */
export function renderPage({ style, script, ...context }: Parts): string {
  const { info } = context.document;
  const groups = groupsOf(context.document);
  // Exact bytes: the page's policy knows both by their digests.
  const [styleTag, scriptTag] = [
    new Html(`<style>${style}</style>`),
    new Html(`<script>${script}</script>`),
  ];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} API ${info.version}</title>
        <link rel="icon" href="data:," />
        ${styleTag}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <a class="brand" href="#content">${info.title}<span>API ${info.version}</span></a>
          <a href="openapi.json">openapi.json</a>
        </header>
        <div class="columns">
          ${navigation(groups)}
          <main id="content" tabindex="-1">
            <section class="introduction">
              <h1>${info.title} API</h1>
              ${prose(info.description)}
            </section>
            ${groups.map((group) => groupSection(context, group))}
            ${messagesSection(context.document)} ${schemasSection(context)}
          </main>
        </div>
        ${scriptTag}
      </body>
    </html>`;
  return page.text;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

function groupsOf(document: OpenApi): Group[] {
  const operations = operationsOf(document);
  return document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter((operation) => operation.tag === tag.name),
  }));
}

function navigation(groups: readonly Group[]): Html {
  return html`<nav aria-label="Operations">
    <details class="menu" open>
      <summary>Contents</summary>
      ${groups.map(
        ({ name, operations }) =>
          html`<h2 class="group"><a href="#group-${name}">${name}</a></h2>
            <ul>
              ${operations.map(
                ({ id, method, summary }) =>
                  html`<li>
                    <a href="#${id}"
                      ><span>${summary}</span> <span class="method ${method}">${method}</span></a
                    >
                  </li>`,
              )}
            </ul>`,
      )}
      <h2 class="group"><a href="#messages">messages of webhooks</a></h2>
      <h2 class="group"><a href="#schemas">schemas</a></h2>
    </details>
  </nav>`;
}

function groupSection(context: PageContext, { name, description, operations }: Group): Html {
  return html`<section id="group-${name}" class="group" aria-labelledby="group-${name}-title">
    <h2 id="group-${name}-title">${name}</h2>
    <p class="lead">${description}</p>
    ${operations.map((operation) => operationSection(context, operation))}
  </section>`;
}

function schemasSection({ document }: PageContext): Html {
  return html`<section id="schemas" class="group" aria-labelledby="schemas-title">
    <h2 id="schemas-title">Schemas</h2>
    <p class="lead">What operations take and return, by name.</p>
    ${Object.entries(document.components.schemas)
      .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
      .map(
        ([name, schema]) =>
          html`<article
            id="schema-${name}"
            class="operation"
            aria-labelledby="schema-${name}-title"
          >
            <div class="about">
              <h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>
              ${schema.description && prose(schema.description)} ${fieldList(document, schema)}
            </div>
            <div class="samples">
              <figure>
                <figcaption>Example</figcaption>
                <pre
                  tabindex="0"
                  role="group"
                  aria-label="Example of ${name}"
                ><code>${JSON.stringify(exampleOf(document, schema), null, 2)}</code></pre>
              </figure>
            </div>
          </article>`,
      )}
  </section>`;
}
