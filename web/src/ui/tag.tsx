import { cn } from './cn.ts'

type TagProps = {
  text: string
  /** Text beside the tag that names its sources, for a tag that gives no access. */
  note?: string | undefined
  /** True for a dashed border, the look of a tag that gives no access. Absent: dashed with a note. */
  isDashed?: boolean
  /** True for the lower form, which fits into a line of small text. */
  isSmall?: boolean
}

/** React component: tag of a system as a small label in one line, which is cut if it is too long. */
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
