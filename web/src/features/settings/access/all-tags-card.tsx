import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { tagRulesList } from '../../../api/access-lists.ts'
import { namedTagsQuery } from '../../../api/tag-uses.ts'
import { sourcesText } from '../../../api/tag-words.ts'
import { taggedSystems } from '../../../navigation/tagged-systems.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { Tag } from '../../../ui/tag.tsx'
import * as words from '../../../words/messages.js'
import { CardContent } from './card-content.tsx'
import { DeleteTagDialog } from './delete-tag-dialog.tsx'
import { DeletedTags } from './deleted-tags.tsx'
import { tagOverviews, type TagOverview } from './tag-overview.ts'
import type { Access } from './use-access.ts'

/** Maximum number of tags, 100, that the settings card with all tags lists; its search finds the others. */
const MOST_TAGS = 100

/**
 * React component: settings card with all tags. Each has the number of its systems, its sources, and how many grants, tag rules, API keys
 * and saved views use it.
 */
export function AllTagsCard({ access }: { access: Access }) {
  const { systems, grants, failure } = access
  const [doomed, setDoomed] = useState<TagOverview>()
  const named = useQuery(namedTagsQuery)
  const { data: rules } = useQuery(tagRulesList.query)
  const tags = useMemo(
    () => systems && grants && rules && named.data && tagOverviews({ systems, grants, rules, named: named.data }),
    [systems, grants, rules, named.data],
  )
  return (
    <Card id="all-tags" title={words.all_tags()} description={words.all_tags_about()}>
      <Awaited query={named} placeholder="h-24">
        {() => (
          <CardContent list={tags} failure={failure} empty={words.all_tags_none()}>
            {(list) => <TagList tags={list} onDelete={setDoomed} />}
          </CardContent>
        )}
      </Awaited>
      <DeletedTags />
      {doomed !== undefined && <DeleteTagDialog overview={doomed} access={access} onClose={() => setDoomed(undefined)} />}
    </Card>
  )
}

type OnDelete = (overview: TagOverview) => void

function TagList({ tags, onDelete }: { tags: readonly TagOverview[]; onDelete: OnDelete }) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const found = tags.filter(({ tag }) => tag.toLocaleLowerCase().includes(wanted))
  const more = found.length - MOST_TAGS
  return (
    <>
      <SearchField label={words.all_tags_search()} value={search} onChange={setSearch} className="mb-1 h-9 w-full sm:w-72" />
      {found.length === 0 ? (
        <p className="py-2 text-muted">{words.all_tags_unmatched()}</p>
      ) : (
        <ul aria-label={words.all_tags()} className="divide-y divide-border">
          {found.slice(0, MOST_TAGS).map((one) => (
            <TagLine key={one.tag} overview={one} onDelete={onDelete} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="pt-2 text-note text-muted">{words.all_tags_more({ count: more })}</p>}
    </>
  )
}

const TagLine = ({ overview, onDelete }: { overview: TagOverview; onDelete: OnDelete }) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1.5">
    <Link href={taggedSystems(overview.tag)} className="flex h-6 max-w-full min-w-0 items-center rounded-full hover:bg-hover">
      <Tag text={overview.tag} />
    </Link>
    <span className="text-note">{words.systems_count({ count: overview.systems })}</span>
    {overview.systems > 0 && <span className="text-note text-muted">{words.tag_set_by({ sources: sourcesText(overview) })}</span>}
    <span className="ml-auto text-note text-muted max-sm:ml-0">{usesText(overview)}</span>
    {isDeletable(overview) && (
      <Button aria-label={words.tag_delete_one({ tag: overview.tag })} onClick={() => onDelete(overview)}>
        {words.delete_action()}
      </Button>
    )}
  </li>
)

/**
 * Returns true when deleting the tag would change something: it has grants or tag rules, or a source other than an agent. A tag that an
 * agent reports cannot be deleted at the hub.
 */
const isDeletable = ({ sources, grants, rules }: TagOverview): boolean => grants + rules > 0 || sources.some((source) => source !== 'agent')

function usesText({ grants, rules, keys, views }: TagOverview): string {
  const uses = [
    grants > 0 && words.tag_grants({ count: grants }),
    rules > 0 && words.tag_rules_count({ count: rules }),
    keys > 0 && words.tag_keys({ count: keys }),
    views > 0 && words.tag_views({ count: views }),
  ].filter((use) => use !== false)
  return uses.length === 0 ? words.tag_unused() : words.tag_used_by({ uses: uses.join(', ') })
}
