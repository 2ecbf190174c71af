import {
  addressOfSchema,
  explains,
  operationsOf,
  schemaPages,
  type OpenApi,
  type Operation,
} from './document.ts';
import { errorCodes, errorsSection } from './errors.ts';
import { exampleOf } from './examples.ts';
import { fieldList } from './fields.ts';
import { firstCall } from './first-call.ts';
import { Html, html, prose } from './html.ts';
import { messagesSection } from './messages.ts';
import { operationSection, type PageContext } from './operation.ts';

interface Parts extends PageContext {
  readonly style: string;
  readonly script: string;
}

/**
 * Renders the reference: the first page by the name `''`, and one for each group of operations, the messages of
 * webhooks and the schemas.
 *
 * @returns each page by its name below `/docs`
 */
export function renderPages(parts: Parts): ReadonlyMap<string, string> {
  const { document } = parts;
  const groups = groupsOf(document);
  const pages: readonly (readonly [string, Html | null])[] = [
    ['', firstPage(parts, groups)],
    ...groups.map((group) => [group.name, groupSection(parts, group)] as const),
    ['messages', messagesSection(document)],
    ...schemaPages.map((page) => [page.name, schemasSection(parts, page)] as const),
  ];
  return new Map(
    pages.map(([name, content]) => [name, renderPage(parts, { name, content, groups })]),
  );
}

interface Page {
  readonly name: string;
  readonly content: Html | null;
  readonly groups: readonly Group[];
}

function renderPage({ document, style, script }: Parts, { name, content, groups }: Page): string {
  const { info } = document;
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
        <title>${name && `${titleOf(name)} · `}${info.title} API ${info.version}</title>
        <link rel="icon" href="data:," />
        ${styleTag}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/docs">${info.title}<span>API ${info.version}</span></a>
          <a href="/openapi.json">openapi.json</a>
        </header>
        <div class="columns">
          ${navigation(document, { name, groups })}
          <main id="content" tabindex="-1">${content}</main>
        </div>
        ${scriptTag}
      </body>
    </html>`;
  return page.text;
}

/** `apiKeys` is `Api keys`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the service is, a first call, and where everything is: addresses of operations keep their anchors here. */
function firstPage(context: PageContext, groups: readonly Group[]): Html {
  const { info } = context.document;
  return html`<section class="introduction">
      <h1>${info.title} API</h1>
      ${prose(info.description)}
    </section>
    ${firstCall(context)}
    <section id="operations" class="group" aria-labelledby="operations-title">
      <h2 id="operations-title">Operations</h2>
      ${groups.map(
        ({ name, description, operations }) =>
          html`<h3 id="group-${name}"><a href="/docs/${name}">${titleOf(name)}</a></h3>
            <p class="lead">${description}</p>
            <ul class="index">
              ${operations.map(
                ({ id, summary }) =>
                  html`<li id="${id}"><a href="/docs/${name}#${id}">${summary}</a></li>`,
              )}
            </ul>`,
      )}
    </section>
    ${errorsSection()}`;
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

function navigation(document: OpenApi, { name: current, groups }: Omit<Page, 'content'>): Html {
  const mark = (name: string) => name === current && html`aria-current="page"`;
  return html`<nav aria-label="Contents">
    <search hidden>
      <label for="search">Search</label>
      <input id="search" type="search" autocomplete="off" spellcheck="false" />
      <p class="found" role="status"></p>
    </search>
    <details class="menu" open>
      <summary>Contents</summary>
      <h2><a href="/docs" ${mark('')}>Start</a></h2>
      ${groups.map(
        ({ name, operations }) =>
          html`<h2><a href="/docs/${name}" ${mark(name)}>${titleOf(name)}</a></h2>
            <ul>
              ${operations.map(
                ({ id, method, path, summary }) =>
                  html`<li title="${path}">
                    <a href="/docs/${name}#${id}"
                      ><span>${summary}</span> <span class="method ${method}">${method}</span></a
                    >
                  </li>`,
              )}
            </ul>`,
      )}
      <h2><a href="/docs/messages" ${mark('messages')}>Messages of webhooks</a></h2>
      <ul class="only-found">
        ${Object.keys(document.webhooks ?? {}).map(
          (event) => html`<li><a href="/docs/messages#message-${event}">${event}</a></li>`,
        )}
      </ul>
      <h2><a href="/docs#errors">Errors</a></h2>
      <ul class="only-found">
        ${errorCodes.map((code) => html`<li><a href="/docs#error-${code}">${code}</a></li>`)}
      </ul>
      ${schemaPages.map(
        ({ name, title }) => html`<h2><a href="/docs/${name}" ${mark(name)}>${title}</a></h2>`,
      )}
      <ul class="only-found">
        ${Object.keys(document.components.schemas).map(
          (schema) => html`<li><a href="${addressOfSchema(schema)}">${schema}</a></li>`,
        )}
      </ul>
    </details>
  </nav>`;
}

function groupSection(context: PageContext, { name, description, operations }: Group): Html {
  return html`<section class="group" aria-labelledby="group-title">
    <h1 id="group-title">${titleOf(name)}</h1>
    <p class="lead">${description}</p>
    ${operations.map((operation) => operationSection(context, operation))}
  </section>`;
}

function schemasSection({ document }: PageContext, page: (typeof schemaPages)[number]): Html {
  return html`<section id="schemas" class="group" aria-labelledby="schemas-title">
    <h1 id="schemas-title">${page.title}</h1>
    <p class="lead">What operations take and return, by name.</p>
    ${Object.entries(document.components.schemas)
      .filter(([name]) => explains(page, name))
      .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
      .map(
        ([name, schema]) =>
          html`<article
            id="schema-${name}"
            class="operation"
            aria-labelledby="schema-${name}-title"
          >
            <div class="about">
              <h2 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h2>
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
