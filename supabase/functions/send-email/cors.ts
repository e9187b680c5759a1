// On every answer, errors too: without them a browser hides the function's own message.
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers":
    "authorization, x-client-info, apikey, content-type, idempotency-key, x-turnstile-token",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
};
