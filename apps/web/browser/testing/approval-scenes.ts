import { newAccount, newTeam } from './accounts.ts';
import { connectAssistant, linkTo, newTask } from './assistant.ts';
import type { Scene } from './scene.ts';
import type { Stack } from './stack.ts';
import { waitForPage } from './wait-for-page.ts';

/** Lists approvals in their states. */
export async function approvalScenes(stack: Stack): Promise<readonly Scene[]> {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben]);
  const member = { account: ada, organizationId };
  const options = { organizationId };
  const assistant = await connectAssistant(stack, member);
  const removalOf = async (title: string) =>
    assistant.ask({ tool: 'tasks_remove', arguments: { id: await newTask(member, title) } });
  const params = ({ id }: { readonly id: string }) => ({ params: { id } });
  const waiting = await removalOf('Write the imprint');
  const approved = await removalOf('Launch');
  await ada.api.approvals.approve(params(approved), options);
  const refused = await removalOf('مراجعة النصوص');
  await ada.api.approvals.refuse(params(refused), options);
  const invitation = await assistant.ask({
    tool: 'organizations_invite',
    arguments: { id: organizationId, email: 'grace@example.com', role: 'MEMBER' },
  });
  const collection = await ada.api.collections.create({ body: { title: 'Brochure' } }, options);
  const removal = await assistant.ask({
    tool: 'collections_remove',
    arguments: { id: collection.id },
  });
  const used = await removalOf('Clean up');
  await ada.api.approvals.approve(params(used), options);
  await assistant.call({ tool: used.tool, arguments: used.arguments });
  const inside = { as: ada, organizationId };
  return [
    { name: 'approvals-waiting', path: '/approvals', ...inside },
    { name: 'approval-waiting', path: linkTo(waiting), ...inside },
    { name: 'approval-invitation', path: linkTo(invitation), ...inside },
    { name: 'approval-collection', path: linkTo(removal), ...inside },
    { name: 'approval-approved', path: linkTo(approved), ...inside },
    { name: 'approval-used', path: linkTo(used), ...inside },
    {
      name: 'approval-long',
      path: linkTo(waiting),
      ...inside,
      // Mocked: few tools that need an approval take long texts.
      prepare: (page) =>
        page.route(`**/api/approvals/${waiting.id}`, async (route) => {
          const response = await route.fetch();
          const body: { data: object } = await response.json();
          const longer = {
            ...waiting.arguments,
            description: 'A sentence that goes on and on. '.repeat(80),
            note: 'مراجعة النصوص قبل النشر',
            tags: ['one', 'two'],
            publicLinkEnabled: true,
          };
          await route.fulfill({
            response,
            json: { ...body, data: { ...body.data, arguments: longer } },
          });
        }),
    },
    {
      name: 'approvals-navigation',
      path: '/',
      ...inside,
      only: ['phone'],
      async act(page) {
        await waitForPage(page);
        await page.getByRole('button', { name: 'Open navigation' }).click();
        await page
          .getByRole('dialog')
          .getByRole('link', { name: /^Approvals/ })
          .waitFor();
      },
    },
    { name: 'organization-approvals', path: '/settings/organization', ...inside },
    { name: 'api-keys-assistant', path: '/settings/api-keys', ...inside },
    {
      name: 'api-keys-new',
      path: '/settings/api-keys',
      ...inside,
      async act(page) {
        await waitForPage(page);
        await page.getByRole('button', { name: 'Create API key' }).first().click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'api-keys-created',
      path: '/settings/api-keys',
      ...inside,
      changesData: true,
      async act(page) {
        await waitForPage(page);
        await page.getByRole('button', { name: 'Create API key' }).first().click();
        const dialog = page.getByRole('dialog', { name: 'Create API key' });
        await dialog.getByLabel('Name', { exact: true }).fill('My assistant');
        await dialog.getByRole('button', { name: 'Create key' }).click();
        const created = page.getByRole('dialog', { name: 'Save your new key' });
        await created.getByText('Connect an assistant').click();
      },
    },
  ];
}
