import type { Approval } from '@atelier/client';
import type { ReactNode } from 'react';
import { resourceOf } from '../../activity/known.ts';
import { ApiKeyOf } from '../../approvals/api-key-of.tsx';
import { useOrganization } from '../../session/account.ts';
import { texts } from '../../texts/approvals.ts';
import { Fact } from '../../ui/fact.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { RecordName } from './record-name.tsx';

const words = texts.facts;
// A service may be newer than this build.
const types: Readonly<Record<string, string | undefined>> = words.types;

/** Lists what a call is about, and who asks for it. */
export function Facts({ approval }: { readonly approval: Approval }): ReactNode {
  const { records, tool, status, createdAt } = approval;
  const organization = useOrganization();
  const isOpen = status === 'WAITING' || status === 'APPROVED';
  const isAboutIt = records.some(({ resourceType }) => resourceType === 'organization');
  return (
    <Section title={words.title}>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
        {records.map((record) => (
          <Fact
            key={`${record.argument} ${record.id}`}
            name={
              types[record.resourceType] ??
              resourceOf(record.resourceType)?.title ??
              record.resourceType
            }
          >
            <RecordName record={record} isOpen={isOpen} />
          </Fact>
        ))}
        {isAboutIt ? null : <Fact name={words.types.organization}>{organization?.name}</Fact>}
        <Fact name={texts.key}>
          <ApiKeyOf approval={approval} />
        </Fact>
        <Fact name={words.requested}>
          <Time at={createdAt} />
        </Fact>
        <Fact name={words.tool}>
          <span className="font-mono text-sm">{tool}</span>
        </Fact>
      </dl>
    </Section>
  );
}
