import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { AuthProvider, useAuth } from "./auth-provider.tsx";

function Probe() {
  const { user, loading } = useAuth();
  return <>{JSON.stringify({ user, loading })}</>;
}

test("using the auth helpers outside the provider is an error", () => {
  expect(() => renderToString(<Probe />)).toThrow("useAuth must be used within an AuthProvider");
});

test("the session is loading at first, without a user", () => {
  const html = renderToString(
    <AuthProvider>
      <Probe />
    </AuthProvider>,
  );
  expect(html).toContain("{&quot;user&quot;:null,&quot;loading&quot;:true}");
});
