import { cn } from './cn.ts'

type TagProps = {
  text: string
  /** Text beside the tag that names its sources, for a tag that is not trusted; its border is then dashed. */
  note?: string | undefined
  /** True for the lower form, which fits into a line of small text. */
  isSmall?: boolean
}

/** React component: tag of a system as a small label in one line, which is cut if it is too long. */
export const Tag = ({ text, note, isSmall = false }: TagProps) => (
  <span
    className={cn(
      'inline-flex max-w-full min-w-0 items-center gap-1 rounded-full border',
      isSmall ? 'h-4 px-1.5 text-tiny' : 'h-5 px-2 text-small',
      note === undefined ? 'border-border-strong bg-sunken' : 'border-dashed border-control-border text-muted',
    )}
  >
    <span className="truncate">{text}</span>
    {note !== undefined && <span className="shrink-0 text-tiny italic">{note}</span>}
  </span>
)
