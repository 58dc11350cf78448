import { Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

type MenuOnDemandProps = {
  button: ComponentProps<typeof Button>
  /** Starts loading the menu, at the first sign of interest in it. */
  preload: () => void
  /** The menu around its button; it is open when it appears. */
  renderMenu: (trigger: ReactElement) => ReactNode
  /** Shown beside the button when the menu cannot be loaded. */
  renderFailed: () => ReactNode
}

/** A button whose menu is loaded when it is first pressed, so that no page waits for menus nobody opens. */
export function MenuOnDemand({ button, preload, renderMenu, renderFailed }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false)
  const closed = (
    <Button
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return closed
  const failed = () => (
    <>
      {closed}
      {renderFailed()}
    </>
  )
  return (
    <ErrorBoundary renderError={failed}>
      <Suspense fallback={closed}>{renderMenu(<Button {...button} />)}</Suspense>
    </ErrorBoundary>
  )
}
