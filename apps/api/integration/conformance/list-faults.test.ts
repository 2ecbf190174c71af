// @module-tag slow

import { describe, test } from 'vitest';
import { listChecks } from '../../../../packages/conformance/src/lists/checks.ts';
import { lists } from '../../../../packages/conformance/src/lists/fixtures.ts';
import { setUpFaultyDeployment } from './testing/faulty-deployment.ts';
import { listFaults } from './testing/injected/lists.ts';

const { resultsWith } = setUpFaultyDeployment();

// Each order, filter and page of each list has its own fault: a list of the contract that no check covers fails here.
describe.concurrent('a service whose', () => {
  test.for(lists)(
    '$id is wrong is detected, however it is wrong',
    async (operation, { expect }) => {
      for (const { bug, check, rules, fault } of listFaults(operation)) {
        const wanted = listChecks.filter(({ id }) => id === check);
        const [result] = await resultsWith(fault, wanted);
        const found = result?.findings.map(({ rule }) => rule) ?? [];
        expect(
          { bug, check: result?.id, isNamed: rules.some((rule) => found.includes(rule)), found },
          JSON.stringify(result?.findings.slice(0, 2)),
        ).toEqual({ bug, check, isNamed: true, found });
      }
    },
  );
});
