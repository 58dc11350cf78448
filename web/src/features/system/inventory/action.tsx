/**
 * React component: small text button at the end of a row in an inventory table, such as "Log". `label` is its accessible name where the
 * text alone is ambiguous.
 */
export const Action = ({ label, onPress, children }: { label?: string; onPress: () => void; children: string }) => (
  <button type="button" aria-label={label} onClick={onPress} className="h-6 rounded-control px-1.5 text-accent underline hover:bg-hover">
    {children}
  </button>
)
