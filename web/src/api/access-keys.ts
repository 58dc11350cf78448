/**
 * Object with the TanStack Query keys for the data of the settings page "Access" (groups, grants, tags). It is apart from `keys`, because
 * most visits do not load that page.
 */
export const accessKeys = {
  // Covers all lists of the page.
  all: ['access'],
  people: ['access', 'people'],
  groups: ['access', 'groups'],
  grants: ['access', 'grants'],
  tagRules: ['access', 'tag-rules'],
  namedTags: ['access', 'named-tags'],
  deletedTags: ['access', 'deleted-tags'],
  matchingSystems: (filter: string) => ['matching-systems', filter],
} as const
