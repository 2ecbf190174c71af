import { describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { RequestLog } from './request-log.ts';

const requestId = 'req_1';

/** @returns a request's log, and what was written and made by it */
function newRequestLog() {
  const lines: Record<string, unknown>[] = [];
  let childCount = 0;
  const service = createLog('trace', { write: (line) => lines.push(JSON.parse(line)) });
  service.onChild = () => {
    childCount += 1;
  };
  return { log: new RequestLog(service, { requestId }), lines, childCount: () => childCount };
}

describe("a request's log", () => {
  test.each(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)(
    'writes at the level %s with the id of the request',
    (level) => {
      const { log, lines } = newRequestLog();
      log[level]({ code: 'some_code' }, 'some text');
      log[level]('without fields');
      expect(lines).toMatchObject([
        { requestId, code: 'some_code', msg: 'some text' },
        { requestId, msg: 'without fields' },
      ]);
    },
  );

  test('makes one child, with its first line', () => {
    const { log, childCount } = newRequestLog();
    expect(childCount()).toBe(0);
    log.info('one');
    log.warn('two');
    expect(childCount()).toBe(1);
  });

  test('has children with the id of the request', () => {
    const { log, lines } = newRequestLog();
    log.child({ part: 'upload' }).info('some text');
    expect(lines).toMatchObject([{ requestId, part: 'upload', msg: 'some text' }]);
  });

  test('has the level of the service', () => {
    expect(newRequestLog().log.level).toBe('trace');
  });
});
