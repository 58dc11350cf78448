import * as words from '../../words/messages.js'

const rows = Array.from({ length: 8 }, (_, row) => row)

/** The table before its first data, in its final size. */
export function FleetSkeleton() {
  return (
    <output aria-label={words.loading()} className="block rounded-card border border-border bg-surface shadow-card">
      <span className="block h-8.5 border-b border-border max-sm:hidden" />
      {rows.map((row) => (
        <span key={row} className="flex h-10 items-center gap-8 border-b border-border px-3 last:border-0 max-sm:h-20">
          <span className="h-3 w-40 animate-skeleton rounded-full bg-track" />
          <span className="h-3 w-28 animate-skeleton rounded-full bg-track max-sm:hidden" />
          <span className="h-3 w-28 animate-skeleton rounded-full bg-track max-md:hidden" />
          <span className="h-3 w-28 animate-skeleton rounded-full bg-track max-lg:hidden" />
        </span>
      ))}
    </output>
  )
}
