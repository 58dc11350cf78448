/** A small thing to do beside a row; `label` says it in full where the word alone would not. */
export const Action = ({ label, onPress, children }: { label?: string; onPress: () => void; children: string }) => (
  <button type="button" aria-label={label} onClick={onPress} className="h-6 rounded-control px-1.5 text-accent underline hover:bg-hover">
    {children}
  </button>
)
