package config

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"github.com/venued/venued/abi"
)

// maxRuleKeys is far above what a venue needs.
const maxRuleKeys = 64

// Public returns the key's public part, nil when it has none. A checked configuration has nothing else.
func (k *RuleKey) Public() ed25519.PublicKey {
	b, err := base64.StdEncoding.DecodeString(k.PublicKey)
	if err != nil || len(b) != ed25519.PublicKeySize {
		return nil
	}
	return b
}

// rules checks [rules].
func (c *checker) rules() {
	r := &c.f.Rules
	if len(r.Keys) > maxRuleKeys {
		c.add("rules.keys", "", "%d keys; a host has at most %d", len(r.Keys), maxRuleKeys)
		return
	}
	names, publics, signers := map[string]int{}, map[string]int{}, 0
	for i := range r.Keys {
		k, path := &r.Keys[i], fmt.Sprintf("rules.keys[%d]", i)
		if !abi.ValidName(k.Name) || k.Name == "admin" || k.Name == "region" {
			c.add(path+".name", `a to z first, then up to 31 of a to z, 0 to 9 and -; "admin" and "region" are taken`, "%q is not a name of a key", k.Name)
		}
		if first, dup := names[k.Name]; dup {
			c.add(path+".name", "", "rules.keys[%d] is called %q too", first, k.Name)
		}
		names[k.Name] = i
		if k.PublicKey != "" {
			signers++
			if k.Public() == nil {
				c.add(path+".public_key", "venued rule keygen prints it", "%q is not an ed25519 public key, 32 bytes in base64", k.PublicKey)
			}
			if first, dup := publics[k.PublicKey]; dup {
				c.add(path+".public_key", "every designer has a key of their own", "rules.keys[%d] has the same", first)
			}
			publics[k.PublicKey] = i
		}
		if k.TokenFile != "" {
			c.file(path+".token_file", &k.TokenFile)
		}
		if k.PublicKey == "" && k.TokenFile == "" {
			c.add(path, "add public_key, token_file, or both", "the key is good for nothing: it neither signs nor calls")
		}
		if len(k.Rules) == 0 {
			c.add(path+".rules", `as ["quiz"]`, "the key has no names to upload under")
		}
		for j, name := range k.Rules {
			if !abi.ValidName(name) {
				c.add(fmt.Sprintf("%s.rules[%d]", path, j), "a to z first, then up to 31 of a to z, 0 to 9 and -", "%q is not a name of a rule", name)
			}
		}
	}
	if r.RequireSignature && signers == 0 {
		c.add("rules.require_signature", "add [[rules.keys]] with a public_key", "no key is there that could sign, so every upload would be refused")
	}
}
