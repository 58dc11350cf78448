import { cn } from './cn.ts'
import { levelOf, levelFill } from './meter-level.ts'

type MeterProps = {
  /** Percentage that the bar shows, 0 to 100. A value outside this range is drawn at the nearer end with an outline. */
  percent: number
  label: string
  text: string
  /** True when the percentage is an old one, because the current one is unknown; the bar is then grey. */
  faded?: boolean
  className?: string
}

/**
 * React component: horizontal bar for a percentage, announced by `label` and `text`. The number must stand beside it, because colour alone
 * is not accessible.
 */
export function Meter({ percent, label, text, faded = false, className = 'h-1.5' }: MeterProps) {
  const shown = Math.min(100, Math.max(0, percent))
  const isOutside = shown !== percent
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native meter cannot be given these colours in every browser
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(shown)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
      className={cn('block overflow-hidden rounded-full bg-track', isOutside && 'outline-1 outline-offset-1 outline-crit', className)}
    >
      <span
        className={cn('block h-full rounded-full', faded ? 'bg-faint opacity-60' : levelFill[levelOf(shown)])}
        style={{ width: `${shown}%` }}
      />
    </span>
  )
}
