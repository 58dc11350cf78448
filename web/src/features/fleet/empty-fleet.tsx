import { useMemo } from 'react'
import { Link } from 'wouter'
import type { System } from '../../api/system-record.ts'
import { taggedSystems } from '../../navigation/tagged-systems.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Tag } from '../../ui/tag.tsx'
import * as words from '../../words/messages.js'
import { similarTags } from './similar-tags.ts'

/**
 * React component: note in place of the list of systems when none matches `filter`. For a condition such as `tag:pro`, it has buttons for
 * tags of `systems` that contain this text.
 */
export function NoMatch({ systems, filter }: { systems: readonly System[]; filter: string }) {
  const similar = useMemo(() => similarTags(systems, filter), [systems, filter])
  return (
    <EmptyState title={words.no_match({ filter })} detail={words.no_match_hint()}>
      {similar.length > 0 && (
        <span className="flex flex-wrap items-center justify-center gap-2">
          <span className="text-muted">{words.similar_tags()}</span>
          {similar.map((tag) => (
            <Link key={tag} href={taggedSystems(tag)} className="flex h-6 min-w-0 items-center rounded-full hover:bg-hover">
              <Tag text={tag} />
            </Link>
          ))}
        </span>
      )}
    </EmptyState>
  )
}

/**
 * React component: note in place of the list when the user sees no systems, with a button that adds the first one. `onAddSystem` is
 * `undefined` for a user who may not add systems.
 */
export const NoSystems = ({ onAddSystem }: { onAddSystem: (() => void) | undefined }) => (
  <EmptyState title={words.no_systems()} detail={onAddSystem === undefined ? words.no_systems_shared() : words.no_systems_first_step()}>
    {onAddSystem !== undefined && (
      <Button look="primary" onClick={onAddSystem}>
        {words.add_system()}
      </Button>
    )}
  </EmptyState>
)
