import type { Sql } from 'postgres';

const collectionCount = 1_000;
/** The share of assets in the bin. */
const binShare = 0.01;
/** The share of assets that a member marks as a favorite. */
const favoriteShare = 0.001;
const batchRows = 50_000;

const subjects =
  'sunset invoice logo report banner portrait harbour mountain lake forest river bridge tower garden kitchen poster brochure contract agenda minutes budget forecast roadmap wireframe mockup icon avatar texture pattern backdrop interview podcast trailer teaser product packaging label catalogue newsletter survey certificate diagram floorplan blueprint storyboard testimonial headshot landscape skyline street market festival concert workshop conference keynote classroom laboratory warehouse factory vineyard island glacier desert meadow orchard lighthouse castle library museum gallery theatre stadium airport station office team founder customer partner mascot palette typeface guideline letterhead signage billboard flyer menu recipe'.split(
    ' ',
  );
const qualities =
  'final draft approved blue green red golden silver winter summer spring autumn early late northern southern old new wide narrow bright dark quiet busy internal external brand social print web mobile retina square vertical panorama macro aerial night morning evening vintage modern minimal bold soft raw edited cropped scaled'.split(
    ' ',
  );
const extensions = ['jpg', 'jpg', 'jpg', 'png', 'png', 'webp', 'pdf', 'mp4', 'docx', 'svg'];
const mediaTypes = [
  'image/jpeg',
  'image/jpeg',
  'image/jpeg',
  'image/png',
  'image/png',
  'image/webp',
  'application/pdf',
  'video/mp4',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'image/svg+xml',
];

/** Typical search texts: one word, two words, parts of words, numbers, and one without results. */
export const typicalSearches: readonly string[] = [
  'sunset',
  'invoice',
  'logo',
  'harbour blue',
  'golden sunset',
  'mountain',
  'IMG_48',
  'Screenshot 2024',
  'report final',
  'pdf',
  '.mp4',
  '0042',
  'guide',
  'brand guideline',
  'v2',
  'Q3',
  'news',
  'lighthouse',
  'team',
  'xyzzy',
];

/** Inserts collections, and assets of one version each with typical names, some of them favorites. */
export async function seedLibrary(
  sql: Sql,
  library: { organizationId: string; memberIds: readonly string[]; assetCount: number },
): Promise<void> {
  const { organizationId, memberIds, assetCount } = library;
  const collections = Math.min(collectionCount, Math.ceil(assetCount / 10));
  await sql`
    insert into collections (id, organization_id, title, created_by, created_at, updated_at)
    select uuidv7(), ${organizationId}, 'Collection ' || n, ${memberIds[0] ?? null}, now(), now()
    from generate_series(1, ${collections}::int) n`;
  for (let first = 1; first <= assetCount; first += batchRows) {
    const last = Math.min(first + batchRows - 1, assetCount);
    await insertAssets(sql, { ...library, first, last });
  }
  await sql`
    insert into asset_favorites (organization_id, user_id, asset_id, created_at)
    select ${organizationId}, member, id, created_at
    from assets, unnest(${[...memberIds]}::uuid[]) as member
    where organization_id = ${organizationId} and deleted_at is null and random() < ${favoriteShare}`;
  await sql`
    insert into organization_usage (organization_id, storage_bytes)
    select organization_id, sum(file_size_bytes) from assets
    where organization_id = ${organizationId} group by organization_id
    on conflict (organization_id) do update set storage_bytes = excluded.storage_bytes`;
}

async function insertAssets(
  sql: Sql,
  batch: {
    organizationId: string;
    memberIds: readonly string[];
    assetCount: number;
    first: number;
    last: number;
  },
): Promise<void> {
  const { organizationId, memberIds, assetCount, first, last } = batch;
  await sql.begin(async (tx) => {
    await tx`set local synchronous_commit = off`;
    // The same names at every seeding.
    await tx`select setseed(${first / (assetCount + 1)}::float8)`;
    await tx`
      create temporary table new_assets on commit drop as
      with properties as (
        select n,
          now() - (${assetCount}::int - n) * interval '31 seconds' as created_at,
          -- Few words are frequent and most are rare, as in any language.
          floor(random() ^ 2 * ${subjects.length}::int)::int + 1 as subject,
          floor(random() ^ 2 * ${qualities.length}::int)::int + 1 as quality,
          floor(random() * ${extensions.length}::int)::int + 1 as kind,
          floor(random() * ${memberIds.length}::int)::int + 1 as member,
          random() as name_style,
          random() as size_exponent,
          random() < ${binShare} as is_in_bin
        from generate_series(${first}::int, ${last}::int) n
      )
      select properties.*,
        uuidv7(created_at - now()) as asset_id,
        uuidv7(created_at - now()) as object_id,
        uuidv7(created_at - now()) as upload_id,
        (${[...memberIds]}::uuid[])[member] as created_by,
        (${mediaTypes}::text[])[kind] as content_type,
        floor(10 ^ (4 + 3.5 * size_exponent))::bigint as size_bytes,
        case
          when name_style < 0.15 then 'IMG_' || lpad((n % 10000)::text, 4, '0')
          when name_style < 0.25 then 'Screenshot ' || to_char(created_at, 'YYYY-MM-DD "at" HH24.MI.SS')
          when name_style < 0.5 then
            (${subjects}::text[])[subject] || '_' || (${qualities}::text[])[quality] || '_v' || n % 7
          else
            initcap((${subjects}::text[])[subject]) || ' ' || (${qualities}::text[])[quality] || ' ' || n % 5000
        end || '.' || (${extensions}::text[])[kind] as name
      from properties`;
    await tx`
      create temporary table numbered_collections on commit drop as
      select id, row_number() over (order by id) as n
      from collections where organization_id = ${organizationId}`;
    await tx`
      insert into stored_objects (organization_id, id, key, size_bytes, e_tag, checksum, detected_type, created_at)
      select ${organizationId}, object_id, 'collection/' || numbered_collections.id || '/' || upload_id || '/' || name, size_bytes,
        md5(object_id::text), encode(sha256(object_id::text::bytea), 'hex'), content_type, created_at
      from new_assets join numbered_collections on numbered_collections.n = new_assets.n % (select count(*) from numbered_collections) + 1
      order by new_assets.n`;
    await tx`
      insert into assets (id, organization_id, collection_id, name, name_folded, content_type, file_size_bytes,
        current_version, short_code, created_by, created_at, updated_at, deleted_at)
      select asset_id, ${organizationId}, numbered_collections.id, name, lower(name), content_type, size_bytes,
        1, left(md5(asset_id::text), 16), created_by, created_at, created_at,
        case when is_in_bin then created_at + interval '1 minute' end
      from new_assets join numbered_collections on numbered_collections.n = new_assets.n % (select count(*) from numbered_collections) + 1
      order by new_assets.n`;
    await tx`
      insert into asset_versions (asset_id, version_number, organization_id, stored_object_id,
        content_type, created_by, created_at)
      select asset_id, 1, ${organizationId}, object_id, content_type, created_by, created_at
      from new_assets order by n`;
  });
}
