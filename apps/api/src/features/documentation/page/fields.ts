import {
  addressOfSchema,
  nameIn,
  wholeSchema,
  type OpenApi,
  type Parameter,
  type Schema,
} from './document.ts';
import { html, inline, type Html } from './html.ts';

/** Parameters of one location, each with its type and description. */
export function parameterList(title: string, parameters: readonly Parameter[]): Html | null {
  if (parameters.length === 0) return null;
  return html`<h3>${title}</h3>
    <dl class="fields">
      ${parameters.map((parameter) =>
        row({
          name: parameter.name,
          isRequired: parameter.required === true,
          schema: { description: parameter.description ?? '', ...parameter.schema },
        }),
      )}
    </dl>`;
}

/** The fields of an object, down to the next named schema. */
export function fieldList(document: OpenApi, schema: Schema): Html {
  const whole = wholeSchema(document, schema);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices && !whole.properties) {
    return html`<ol class="choices">
      ${choices.map((choice) => html`<li>${fieldList(document, choice)}</li>`)}
    </ol>`;
  }
  const entries = Object.entries(whole.properties ?? {}).filter(([, field]) => !field.not);
  if (entries.length === 0) return html`<p class="form">${typeOf(whole)} ${bounds(whole)}</p>`;
  return html`<dl class="fields">
    ${entries.map(([name, field]) =>
      row({
        name,
        isRequired: whole.required?.includes(name) ?? false,
        schema: field,
        nested: nestedFields(document, field),
      }),
    )}
  </dl>`;
}

function nestedFields(document: OpenApi, schema: Schema): Html | null {
  const inner = schema.items ?? schema;
  return inner.properties && !inner.$ref ? fieldList(document, inner) : null;
}

interface Row {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly nested?: Html | null;
}

function row({ name, isRequired, schema, nested }: Row): Html {
  return html`<div>
    <dt>
      <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
      ${isRequired && html`<span class="required">required</span>`}
    </dt>
    <dd>
      ${schema.description && html`<p>${inline(schema.description)}</p>`} ${bounds(schema)}
      ${nested}
    </dd>
  </div>`;
}

/** Describes the type in words; named schemas become links. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    return html`<a href="${addressOfSchema(nameIn(schema))}">${nameIn(schema)}</a>`;
  }
  if (schema.items) return html`list of ${typeOf(schema.items)}`;
  if (schema.anyOf) {
    return html`${schema.anyOf.flatMap((one, index) => [html`${index > 0 && ' or '}`, typeOf(one)])}`;
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return html`${types.join(' or ')}${schema.format && ` (${schema.format})`}`;
}

function bounds(schema: Schema): Html | null {
  const said = [
    schema.enum && html`One of ${schema.enum.map((value) => html` <code>${String(value)}</code>`)}`,
    schema.default !== undefined && html`Default <code>${JSON.stringify(schema.default)}</code>`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
  ].filter((one) => one instanceof Object);
  return said.length > 0
    ? html`<p class="bounds">${said.map((one) => html`<span>${one}</span> `)}</p>`
    : null;
}

function range(least: number | undefined, most: number | undefined, unit: string): Html | null {
  if (most !== undefined) {
    return html`${(least ?? 0).toLocaleString('en')} to ${most.toLocaleString('en')}${unit}`;
  }
  return least === undefined ? null : html`at least ${least.toLocaleString('en')}${unit}`;
}
