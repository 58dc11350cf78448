import type { SystemTag } from '../../api/system-tags.ts'
import { tagNote } from '../../api/tag-words.ts'
import { Tag } from '../../ui/tag.tsx'
import * as words from '../../words/messages.js'

/** React component: the tags `tags` of a system in one line of its card in the list of systems. Text that does not fit is cut off. */
export function CardTags({ tags }: { tags: readonly SystemTag[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label={words.tags()} className="flex h-4 gap-1 overflow-hidden">
      {tags.map((tag) => (
        <li key={tag.text} className="flex max-w-full shrink-0">
          <Tag text={tag.text} note={tagNote(tag)} isSmall />
        </li>
      ))}
    </ul>
  )
}
