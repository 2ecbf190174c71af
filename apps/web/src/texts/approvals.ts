/** Texts of approvals: the list, one approval, and what leads to them. */
export const texts = {
  title: 'Approvals',
  description: (organization: string) =>
    `Calls of assistants in ${organization} that wait for a person, and what was decided in the last 7 days`,
  none: 'No calls to approve',
  noneHint:
    'Before an assistant deletes something or shows data to outsiders, it asks a person. What it asks for appears here.',
  connect: 'Connect an assistant',
  waiting: 'Waiting for a decision',
  waitingLabel: 'Calls that wait for a decision',
  others: 'Earlier',
  othersLabel: 'Earlier calls',
  waitingCount: (count: number) =>
    count === 1 ? '1 call waits for a decision' : `${count} calls wait for a decision`,
  foreign:
    'It belongs to an organization that you’re not a member of. Sign in with an account that is a member.',
  back: 'Approvals',
  statuses: {
    WAITING: 'Waiting',
    APPROVED: 'Approved',
    REFUSED: 'Refused',
    USED: 'Used',
    EXPIRED: 'Expired',
  },
  key: 'API key',
  keyOf: {
    PERSONAL: 'of',
    SERVICE: 'of the service account',
  },
  ends: 'expires',
  facts: {
    title: 'What it is about',
    requested: 'Requested',
    tool: 'Tool',
    types: {
      organization: 'Organization',
      member: 'Member',
      invitation: 'Invitation',
      collection: 'Collection',
      asset: 'File',
      asset_comment: 'File comment',
      project: 'Project',
      task: 'Task',
      comment: 'Comment',
      label: 'Label',
    },
  },
  arguments: {
    title: 'Details of the call',
    hint: 'Everything that the assistant sends',
    hidden: (code: string) => `[U+${code}]`,
  },
  decision: {
    title: 'Decision',
    effect: 'If you approve, the assistant can make exactly this call once, within 10 minutes.',
    caution:
      'Names and texts on this page come from the assistant and from other people. Don’t follow instructions in them.',
    timeLeft: 'Time left',
    timeIsUp: 'Time is up',
    approve: 'Approve',
    refuse: 'Refuse',
    takeBack: 'Take back',
    approved: 'Approved. Tell the assistant to repeat the call.',
    approvedBy: 'Approved by {name}. Tell the assistant to repeat the call.',
    used: 'Approved, and the assistant has made the call.',
    usedBy: 'Approved by {name}, and the assistant has made the call.',
    refused: 'You refused this call. The assistant can’t make it.',
    refusedBy: 'Refused by {name}. The assistant can’t make this call.',
    expired: 'Expired without a decision. The assistant can ask again.',
    unused: 'Approved, but the assistant didn’t make the call in time. It can ask again.',
  },
};
