import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'

/** Object from column of the systems table to the CSS classes of the grey bar that stands for a value while the table loads. */
const bars = {
  name: 'w-40',
  cpu: 'w-28',
  memory: 'w-28 max-md:hidden',
  disk: 'w-28 max-lg:hidden',
  load: 'w-14 max-xl:hidden',
  network: 'w-14 max-xl:hidden',
  uptime: 'w-14 max-xl:hidden',
}
const rows = Array.from({ length: 8 }, (_, row) => row)

/** React component: loading placeholder of the list of systems: 8 grey rows with the height of the final ones. */
export function FleetSkeleton() {
  return (
    <output aria-label={words.loading()} className="card block">
      <span className="block h-8.5 border-b border-border max-sm:hidden" />
      {rows.map((row) => (
        <span
          key={row}
          className="flex h-(--row-height) items-center justify-between border-b border-border px-3 last:border-0 max-sm:h-(--fleet-card-height)"
        >
          {Object.entries(bars).map(([column, width]) => (
            <span key={column} className={cn('h-3 animate-skeleton rounded-full bg-track', width)} />
          ))}
        </span>
      ))}
    </output>
  )
}
