/** Why a form was refused, in the hub's words; announced when it appears. */
export const FormError = ({ message }: { message: string }) => (
  <p role="alert" className="rounded-control bg-crit-soft px-3 py-2 text-note text-crit wrap-anywhere">
    {message}
  </p>
)
