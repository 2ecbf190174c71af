import { catalogue, isTenant, type CatalogueEntry } from '../../db/catalogue.ts';
import type { OnAccountExported } from '../../db/tenancy.ts';

type Exported = Exclude<OnAccountExported, { readonly nothing: string }>;

/** A table with rows that exports have. */
export interface ExportedTable {
  readonly name: string;
  readonly table: CatalogueEntry['table'];
  readonly exported: Exported;
  /** Whether its rows are read from each organization that the person may read. */
  readonly isByOrganization: boolean;
}

/** What exports consist of, as the tables declare it. */
export const exportedTables: readonly ExportedTable[] = catalogue.flatMap((entry) => {
  const { name, table, onAccountExported: exported } = entry;
  if ('nothing' in exported) return [];
  return { name, table, exported, isByOrganization: isTenant(entry) && !exported.everywhere };
});
