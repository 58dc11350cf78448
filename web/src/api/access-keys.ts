/** Object with the TanStack Query keys of the page about access, whose code most visits do not load. */
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
