// Servers that limit their callers to 20 calls in 2 seconds, each told in another generation of fields; and one that is slow. usage: node limited.js PORT
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const app = express();
const limits = { windowMs: 2000, limit: 20 };
for (const draft of ['draft-6', 'draft-7', 'draft-8']) {
  app.get(`/${draft}`, rateLimit({ ...limits, standardHeaders: draft, legacyHeaders: false }), (req, res) => res.send('ok'));
}
app.get('/x-ratelimit', rateLimit({ ...limits, standardHeaders: false, legacyHeaders: true }), (req, res) => res.send('ok'));
app.get('/silent', rateLimit({ ...limits, standardHeaders: false, legacyHeaders: false }), (req, res) => res.send('ok'));
app.get('/slow', (req, res) => setTimeout(() => res.send('ok'), 800));
app.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
