import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';
import { newSearchedTeam } from './searched.ts';
import type { Stack } from './stack.ts';
import { waitForPage } from './wait-for-page.ts';

/** Lists the page of the search in its states, and the palette with what it finds. */
export async function searchScenes(stack: Stack): Promise<readonly Scene[]> {
  const { ada: as, organizationId, project, task } = await newSearchedTeam(stack);
  const scene = (name: string, rest: Partial<Scene> & Pick<Scene, 'path'>): Scene => ({
    name,
    as,
    organizationId,
    ...rest,
  });
  const rows = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  const found = async (page: Page) => {
    await waitForPage(page);
    await rows(page).first().waitFor();
  };
  const typed = (text: string) => async (page: Page) => {
    await waitForPage(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(text);
  };
  return [
    scene('search-start', { path: '/search' }),
    scene('search-found', { path: '/search?q=lighthouse', act: found }),
    scene('search-filtered', {
      path: `/search?q=lighthouse&type=task&project=${project.id}&assignee=me&from=2026-11-01`,
    }),
    scene('search-narrowed', {
      path: `/search?q=lighthouse&type=task&project=${project.id}`,
      act: found,
    }),
    scene('search-similar', { path: '/search?q=lighthuose', act: found }),
    scene('search-keyboard', {
      path: '/search?q=lighthouse',
      only: ['light', 'dark'],
      async act(page) {
        await found(page);
        await page.keyboard.press('j');
        await page.keyboard.press('j');
      },
    }),
    scene('search-nothing', { path: '/search?q=submarine' }),
    scene('search-signs', {
      path: '/search?q=!?',
      act: (page) => page.getByText('There is nothing to search for').waitFor(),
    }),
    scene('search-words', {
      path: `/search?q=${Array.from('abcdefghijklmn').join('+')}`,
      act: (page) => page.getByText('These are not all results').waitFor(),
    }),
    scene('search-palette', {
      path: `/projects/${project.id}`,
      async act(page) {
        await typed('lighth')(page);
        await page.getByRole('option', { name: task.title }).waitFor();
      },
    }),
    scene('search-palette-similar', {
      path: '/',
      async act(page) {
        await typed('lighthuose')(page);
        await page.getByRole('option', { name: task.title }).waitFor();
      },
    }),
    scene('search-palette-nothing', {
      path: '/',
      async act(page) {
        await typed('submarine')(page);
        await page.getByText('Nothing found for').waitFor();
      },
    }),
  ];
}
