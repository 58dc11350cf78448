import { Link } from 'wouter'
import type { SystemTag } from '../../api/system-tags.ts'
import { aboutTag, tagNote } from '../../api/tag-words.ts'
import { taggedSystems } from '../../navigation/tagged-systems.ts'
import { Icon } from '../../ui/icon.tsx'
import { Tag } from '../../ui/tag.tsx'
import * as words from '../../words/messages.js'

/**
 * Maximum number of tags, 5, that a system's header shows, since the header always stays visible. The number of further ones follows; the
 * tags dialog shows all.
 */
const MOST_TAGS = 5

/**
 * React component: tags of a system as links to All Systems filtered by that tag. If there are more than 5, it shows 5 and the number of
 * others. A button calls `onEdit` to open the tags dialog.
 */
export function HeaderTags({ tags, onEdit }: { tags: readonly SystemTag[]; onEdit: () => void }) {
  const others = tags.length - MOST_TAGS
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1">
      {tags.slice(0, MOST_TAGS).map((tag) => (
        <Link
          key={tag.text}
          href={taggedSystems(tag.text)}
          data-tooltip={aboutTag(tag)}
          className="flex h-6 max-w-56 min-w-0 items-center rounded-full hover:bg-hover"
        >
          <Tag text={tag.text} note={tagNote(tag)} />
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={others > 0 ? words.tags_and_more({ count: others }) : words.tags()}
        data-tooltip={words.tags()}
        onClick={onEdit}
        className="flex h-6 min-w-6 items-center justify-center gap-1 rounded-control px-1 text-small text-muted hover:bg-hover hover:text-text"
      >
        {others > 0 && <span aria-hidden="true">+{others}</span>}
        <Icon name="tag" />
      </button>
    </span>
  )
}
