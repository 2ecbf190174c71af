/** Returns the path in the web app of what a share shows. */
export function pageOfTarget(
  targetType: 'ASSET' | 'COLLECTION' | null,
  targetId: string | null,
): string {
  return `/${targetType === 'ASSET' ? 'assets' : 'collections'}/${targetId}`;
}
