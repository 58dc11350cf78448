import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  renderError: (error: unknown) => ReactNode
  /** When this text changes, the error boundary discards its error and renders the children again. */
  resetKey?: string
  children: ReactNode
}

type ErrorBoundaryState = { error: unknown; resetKey: string | undefined }

/**
 * React component that catches errors which its children throw while rendering, such as code that failed to load. It then renders the
 * result of `renderError(error)` in their place.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Pick<ErrorBoundaryState, 'error'> {
    return { error }
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState {
    return resetKey === state.resetKey ? state : { error: undefined, resetKey }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : this.props.renderError(this.state.error)
  }
}
