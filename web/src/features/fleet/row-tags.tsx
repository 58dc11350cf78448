import { Link } from 'wouter'
import type { SystemTag } from '../../api/system-tags.ts'
import { aboutTag, tagNote } from '../../api/tag-words.ts'
import { taggedSystems } from '../../navigation/tagged-systems.ts'
import { Tag } from '../../ui/tag.tsx'
import * as words from '../../words/messages.js'
import { fittingTags } from './fitting-tags.ts'

/**
 * React component: tags of a system in its row of the systems table. As many as fit are links to the systems with that tag; the number of
 * the others follows, such as `+2`.
 */
export function RowTags({ tags }: { tags: readonly SystemTag[] }) {
  const shown = tags.slice(0, fittingTags(tags.map((tag) => `${tag.text} ${tagNote(tag) ?? ''}`.trim())))
  const others = tags.slice(shown.length)
  return (
    // Above the link that covers the row and would take the pointer.
    <span className="relative z-1 flex w-fit max-w-full min-w-0 items-center gap-1">
      {shown.map((tag) => (
        <Link
          key={tag.text}
          href={taggedSystems(tag.text)}
          data-tooltip={aboutTag(tag)}
          className="flex h-6 min-w-0 items-center rounded-full hover:bg-hover"
        >
          <Tag text={tag.text} note={tagNote(tag)} />
        </Link>
      ))}
      {others.length > 0 && (
        <span data-tooltip={others.map(aboutTag).join('\n')} className="shrink-0 text-small text-muted">
          <span aria-hidden="true">+{others.length}</span>
          <span className="sr-only">{words.more_tags({ tags: others.map(({ text }) => text).join(', ') })}</span>
        </span>
      )}
    </span>
  )
}
