import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'

/** Cells of a row at each width, from the name on. */
const bars = ['w-40', 'w-28', 'w-28 max-md:hidden', 'w-28 max-lg:hidden', 'w-14 max-xl:hidden', 'w-14 max-xl:hidden', 'w-14 max-xl:hidden']
const rows = Array.from({ length: 8 }, (_, row) => row)

/** The table before its first data, in its final size. */
export function FleetSkeleton() {
  return (
    <output aria-label={words.loading()} className="card block">
      <span className="block h-8.5 border-b border-border max-sm:hidden" />
      {rows.map((row) => (
        <span key={row} className="flex h-10 items-center justify-between border-b border-border px-3 last:border-0 max-sm:h-22">
          {bars.map((width, bar) => (
            // oxlint-disable-next-line react/no-array-index-key -- they never change places
            <span key={bar} className={cn('h-3 animate-skeleton rounded-full bg-track', width)} />
          ))}
        </span>
      ))}
    </output>
  )
}
