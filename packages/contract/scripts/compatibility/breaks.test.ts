import { expect, test } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { breaksBetween } from './breaks.ts';
import type { OpenApi } from './document.ts';

// Tests reach into the document to spoil it.
/* eslint-disable typescript/no-explicit-any */

/** A small document; each test changes one thing of it. */
function library() {
  return {
    'x-permissions': { 'book:edit': 'OWNER:any MEMBER:own' } as Record<string, string>,
    paths: {
      '/books/{id}': {
        parameters: [{ $ref: '#/components/parameters/id' }],
        patch: {
          operationId: 'books.change',
          'x-access': 'member book:edit header',
          parameters: [
            { in: 'query', name: 'dry', schema: { type: 'boolean', default: false } },
            { in: 'query', name: 'limit', schema: { type: 'integer', default: 20 } },
          ] as object[],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/BookBody' } } },
          } as object | undefined,
          responses: {
            '200': {
              headers: { ETag: {} } as Record<string, object>,
              content: {
                'application/json': {
                  schema: {
                    allOf: [
                      { $ref: '#/components/schemas/Book' },
                      { properties: { message: { const: 'Book changed' } }, required: ['message'] },
                    ],
                  },
                },
              },
            },
            '409': { $ref: '#/components/responses/409' },
          } as Record<string, object>,
        },
      },
    } as Record<string, Record<string, any>>,
    components: {
      parameters: {
        id: { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
      },
      schemas: {
        Kind: { type: 'string', enum: ['NOVEL', 'ATLAS'] },
        BookBody: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: 80 },
            kind: { $ref: '#/components/schemas/Kind' },
            owner: { type: 'object', properties: {} },
            place: {
              anyOf: [
                { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
                { type: 'object', properties: { after: { type: 'string' } }, required: ['after'] },
              ],
            },
          },
          required: ['title'],
        },
        Book: {
          allOf: [
            {
              type: 'object',
              properties: { id: { type: 'string' }, kind: { $ref: '#/components/schemas/Kind' } },
              required: ['id', 'kind'],
            },
            {
              properties: {
                shelf: { const: 'A' },
                pages: { type: ['integer', 'null'] },
                at: { type: 'string', format: 'date-time' },
                next: { $ref: '#/components/schemas/Book' },
                tags: { type: 'array', items: { type: 'string' } },
              },
              required: ['pages', 'tags'],
            },
          ],
        },
      } as Record<string, any>,
      responses: {
        '409': {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { code: { enum: ['lent_out', 'conflict'] } },
                required: ['code'],
              },
            },
          },
        },
      } as Record<string, any>,
    },
  };
}

type Library = ReturnType<typeof library>;

function change(of: Library) {
  return of.paths['/books/{id}']?.['patch'];
}

/** The fields of the envelope around a changed book. */
function envelope(of: Library) {
  const { content } = change(of).responses['200'];
  return content['application/json'].schema.allOf[1].properties;
}

function breaksOf(edit: (document: Library) => void): string[] {
  const after = library();
  edit(after);
  return breaksBetween(library(), after);
}

const at = 'PATCH /books/{id}';

const breaking: [what: string, edit: (document: Library) => void, line: string][] = [
  ['an operation removed', (d) => delete d.paths['/books/{id}'], `${at}: removed`],
  [
    'an operation renamed',
    (d) => (change(d).operationId = 'books.edit'),
    `${at}: operationId books.change became books.edit`,
  ],
  ['a parameter removed', (d) => (change(d).parameters = []), `${at}: query parameter dry is gone`],
  [
    'a required parameter added',
    (d) => change(d).parameters.push({ in: 'header', name: 'shelf', required: true, schema: {} }),
    `${at}: header parameter shelf is required now`,
  ],
  [
    'a parameter made required',
    (d) => (change(d).parameters[0].required = true),
    `${at}: query parameter dry is required now`,
  ],
  [
    'the default of a parameter changed',
    (d) => (change(d).parameters[0].schema.default = true),
    `${at}: query parameter dry: the default changed`,
  ],
  [
    'the type of a shared path parameter narrowed',
    (d) => (d.components.parameters.id.schema.type = 'integer'),
    `${at}: path parameter id: type string became integer`,
  ],
  [
    'a required field added to a request',
    (d) => d.components.schemas['BookBody'].required.push('kind'),
    `${at}: body.kind: is required now`,
  ],
  [
    'a new field of a request that is required',
    (d) => {
      d.components.schemas['BookBody'].properties.isbn = { type: 'string' };
      d.components.schemas['BookBody'].required.push('isbn');
    },
    `${at}: body.isbn: is required now`,
  ],
  [
    'a field removed from a request',
    (d) => delete d.components.schemas['BookBody'].properties.kind,
    `${at}: body.kind: removed`,
  ],
  [
    'a bound of a request tightened',
    (d) => (d.components.schemas['BookBody'].properties.title.maxLength = 40),
    `${at}: body.title: maxLength 80 became 40`,
  ],
  [
    'a pattern added to a request',
    (d) => (d.components.schemas['BookBody'].properties.title.pattern = '^A'),
    `${at}: body.title: pattern none became ^A`,
  ],
  [
    'a value no longer accepted',
    (d) => (d.components.schemas['Kind'].enum = ['NOVEL']),
    `${at}: body.kind: value "ATLAS" is no longer accepted`,
  ],
  [
    'free text of a request become a list',
    (d) => (d.components.schemas['BookBody'].properties.title.enum = ['A']),
    `${at}: body.title: only some values are still accepted`,
  ],
  [
    'an alternative of a request removed',
    (d) => d.components.schemas['BookBody'].properties.place.anyOf.pop(),
    `${at}: body.place: an alternative is no longer accepted`,
  ],
  [
    'the body become required',
    (d) => (change(d).requestBody = { ...change(d).requestBody, content: {} }),
    `${at}: body: application/json is gone`,
  ],
  ['the body refused', (d) => (change(d).requestBody = undefined), `${at}: takes no body any more`],
  [
    'a field removed from a response',
    (d) => delete d.components.schemas['Book'].allOf[0].properties.id,
    `${at}: 200.id: removed`,
  ],
  [
    'a field of a response made optional',
    (d) => d.components.schemas['Book'].allOf[1].required.pop(),
    `${at}: 200.tags: may be absent from the response now`,
  ],
  [
    'null new in a response',
    (d) => (d.components.schemas['Book'].allOf[0].properties.id.type = ['string', 'null']),
    `${at}: 200.id: type string became string or null`,
  ],
  [
    'integers of a response become any numbers',
    (d) => (d.components.schemas['Book'].allOf[1].properties.pages.type = ['number', 'null']),
    `${at}: 200.pages: type integer or null became number or null`,
  ],
  [
    'items of a response of another type',
    (d) => (d.components.schemas['Book'].allOf[1].properties.tags.items = { type: 'integer' }),
    `${at}: 200.tags[]: type string became integer`,
  ],
  [
    'the format of a response changed',
    (d) => (d.components.schemas['Book'].allOf[1].properties.at.format = 'date'),
    `${at}: 200.at: format date-time became date`,
  ],
  [
    'the text of a success become a number',
    (d) => (envelope(d).message = { type: 'integer' }),
    `${at}: 200.message: type string became integer`,
  ],
  [
    'a constant that is no text for people changed',
    (d) => (d.components.schemas['Book'].allOf[1].properties.shelf.const = 'B'),
    `${at}: 200.shelf: "A" became "B"`,
  ],
  [
    'unknown fields of a request refused',
    (d) => (d.components.schemas['BookBody'].additionalProperties = false),
    `${at}: body: unknown fields are no longer accepted`,
  ],
  [
    'unknown fields of an object within a request refused',
    (d) => (d.components.schemas['BookBody'].properties.owner.additionalProperties = false),
    `${at}: body.owner: unknown fields are no longer accepted`,
  ],
  [
    'the default of a page size changed',
    (d) => (change(d).parameters[1].schema.default = 50),
    `${at}: query parameter limit: the default changed`,
  ],
  [
    'the default of a page size removed',
    (d) => delete change(d).parameters[1].schema.default,
    `${at}: query parameter limit: the default changed`,
  ],
  [
    'a list of values in a response become free text',
    (d) => delete d.components.schemas['Kind'].enum,
    `${at}: 200.kind: values are no longer from a list`,
  ],
  ['a success removed', (d) => delete change(d).responses['200'], `${at}: status 200 is gone`],
  [
    'an error status removed',
    (d) => delete change(d).responses['409'],
    `${at}: status 409 is gone`,
  ],
  [
    'a header of a response removed',
    (d) => (change(d).responses['200'].headers = {}),
    `${at}: 200 without the header ETag`,
  ],
  [
    'an error code removed',
    (d) =>
      d.components.responses['409'].content['application/json'].schema.properties.code.enum.pop(),
    `${at}: 409: conflict is gone`,
  ],
  [
    'another permission wanted, with less reach',
    (d) => (d['x-permissions']['book:edit'] = 'OWNER:any'),
    `${at}: MEMBER may reach none instead of own`,
  ],
  [
    'the reach of a role narrowed',
    (d) => (d['x-permissions']['book:edit'] = 'OWNER:own MEMBER:own'),
    `${at}: OWNER may reach own instead of any`,
  ],
  [
    'members replaced by administrators',
    (d) => (change(d)['x-access'] = 'administrator'),
    `${at}: access member book:edit header became administrator`,
  ],
  [
    'the organization taken from elsewhere',
    (d) => (change(d)['x-access'] = 'member book:edit path'),
    `${at}: access member book:edit header became member book:edit path`,
  ],
];

test.each(breaking)('%s is a break, and named', (_what, edit, line) => {
  expect(breaksOf(edit)).toContain(line);
});

test('a public operation that wants a token is a break', () => {
  const before = library();
  change(before)['x-access'] = 'public';
  expect(breaksBetween(before, library())).toEqual([
    `${at}: access public became member book:edit header`,
  ]);
});

test.each([
  ['of its own', undefined],
  ['of the whole document', [{ bearer: [] }]],
])('credentials %s are a break where none were needed', (_whose, ofDocument) => {
  const [before, after]: OpenApi[] = [library(), library()];
  const open = { ...before, security: [] };
  const own = ofDocument ? {} : { security: [{ bearer: [] }] };
  Object.assign(Object(after).paths['/books/{id}'].patch, own);
  const closed = { ...after, ...(ofDocument && { security: ofDocument }) };
  expect(breaksBetween(open, closed)).toEqual([`${at}: needs credentials now`]);
  expect(breaksBetween(closed, open)).toEqual([]);
  const optional = { ...open, security: [{}, { bearer: [] }] };
  expect(breaksBetween(open, optional)).toEqual([]);
});

test('a new value in a response is told apart from breaks', () => {
  const after = library();
  after.components.schemas['Kind'].enum.push('POEMS');
  const growths: string[] = [];
  expect(breaksBetween(library(), after, (line) => growths.push(line))).toEqual([]);
  expect(growths[0]).toBe(`${at}: 200.kind: value "POEMS" is new`);
});

test('a body that becomes required is a break', () => {
  const before = library();
  change(before).requestBody.required = false;
  expect(breaksBetween(before, library())).toEqual([`${at}: a body is required`]);
});

const additive: [what: string, edit: (document: Library) => void][] = [
  ['the text of a success reworded', (d) => (envelope(d).message.const = 'Changed')],
  ['the text of a success become any', (d) => (envelope(d).message = { type: 'string' })],
  [
    'unknown fields gone from a response',
    (d) => (d.components.schemas['Book'].allOf[0].additionalProperties = false),
  ],
  ['nothing changed', () => {}],
  ['an operation added', (d) => (d.paths['/shelves'] = { get: { responses: {} } })],
  ['an optional parameter added', (d) => change(d).parameters.push({ in: 'query', name: 'q' })],
  [
    'an optional field added to a request',
    (d) => (d.components.schemas['BookBody'].properties.isbn = { type: 'string' }),
  ],
  [
    'a field added to a response',
    (d) => {
      d.components.schemas['Book'].allOf[1].properties.isbn = { type: 'string' };
      d.components.schemas['Book'].allOf[1].required.push('isbn');
    },
  ],
  ['a value added to a list', (d) => d.components.schemas['Kind'].enum.push('POEMS')],
  ['a field of a request made optional', (d) => (d.components.schemas['BookBody'].required = [])],
  [
    'a bound of a request widened',
    (d) => (d.components.schemas['BookBody'].properties.title.maxLength = 200),
  ],
  [
    'null accepted in a request',
    (d) => (d.components.schemas['BookBody'].properties.title.type = ['string', 'null']),
  ],
  [
    'null gone from a response',
    (d) => (d.components.schemas['Book'].allOf[1].properties.pages.type = 'integer'),
  ],
  [
    'an alternative added to a request',
    (d) => d.components.schemas['BookBody'].properties.place.anyOf.push({ type: 'string' }),
  ],
  [
    'an error code added',
    (d) =>
      d.components.responses['409'].content['application/json'].schema.properties.code.enum.push(
        'sold',
      ),
  ],
  ['an error status added', (d) => (change(d).responses['410'] = { content: {} })],
  ['everybody allowed', (d) => (change(d)['x-access'] = 'public')],
  ['every account allowed', (d) => (change(d)['x-access'] = 'user')],
  ['more reach', (d) => (d['x-permissions']['book:edit'] = 'OWNER:any MEMBER:any VIEWER:own')],
  [
    'a shared schema said in place',
    (d) => (d.components.schemas['BookBody'].properties.kind = d.components.schemas['Kind']),
  ],
];

test.each(additive)('%s is no break', (_what, edit) => {
  expect(breaksOf(edit)).toEqual([]);
});

test('a reference that leads nowhere is not taken for an empty schema', () => {
  expect(() => breaksOf((d) => delete d.components.schemas['Kind'])).toThrow(/leads nowhere/);
});

test('each operation of the real document is missed when it is gone', () => {
  const real = JSON.parse(JSON.stringify(openApiDocument())) as Required<OpenApi>;
  expect(breaksBetween(real, real)).toEqual([]);
  const removed = breaksBetween(real, { ...real, paths: {} });
  expect(removed.length).toBeGreaterThan(80);
  expect(new Set(removed).size).toBe(removed.length);
});
