/** React component: animated loading indicator, centred in its container. `label` is its text for screen readers. */
export function Spinner({ label }: { label: string }) {
  return (
    <output aria-label={label} className="grid min-h-60 flex-1 place-items-center">
      <svg
        viewBox="0 0 24 24"
        className="size-7 animate-spin text-muted"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        aria-hidden="true"
      >
        <circle cx="12" cy="12" r="9" opacity="0.25" />
        <path d="M12 3a9 9 0 0 1 9 9" strokeLinecap="round" />
      </svg>
    </output>
  )
}
