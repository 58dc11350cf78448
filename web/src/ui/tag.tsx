import { cn } from './cn.ts'

type TagProps = {
  text: string
  /** Text shown beside the tag, such as its sources; set for a tag that gives no access to systems. */
  note?: string | undefined
  /** True to draw the tag with a dashed border, which marks a tag that gives no access. Absent: dashed if there is a `note`. */
  isDashed?: boolean
  /** True to show the tag in the smaller size that fits into a line of small text. */
  isSmall?: boolean
}

/**
 * React component: one-line label with a system's tag `text`, cut off if it is long. A tag that gives no access has a `note` and a dashed
 * border.
 */
export const Tag = ({ text, note, isDashed = note !== undefined, isSmall = false }: TagProps) => (
  <span
    className={cn(
      'inline-flex max-w-full min-w-0 items-center gap-1 rounded-full border',
      isSmall ? 'h-4 px-1.5 text-tiny' : 'h-5 px-2 text-small',
      isDashed ? 'border-dashed border-control-border text-muted' : 'border-border-strong bg-sunken',
    )}
  >
    <span className="truncate">{text}</span>
    {note !== undefined && <span className="shrink-0 text-tiny italic">{note}</span>}
  </span>
)
